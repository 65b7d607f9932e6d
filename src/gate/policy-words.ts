import { clip } from '../report/clip.ts';

/** The same sentence in each language that the board speaks. */
export type Said = Readonly<Record<'en' | 'zh' | 'ja', string>>;

const shown = (list: readonly string[], most = 6): string =>
  list
    .slice(0, most)
    .map((entry) => clip(entry.replaceAll(/\s+/g, ' ').trim(), 80))
    .join(', ');

export const accepted: Said = {
  en: 'accepted by the policy',
  zh: '通过验收策略',
  ja: '受け入れ基準を満たしています',
};

export function missingEvidence(kinds: readonly string[]): Said {
  if (kinds.length > 0) {
    return {
      en: `evidence of this kind is missing: ${shown(kinds)}.`,
      zh: `缺少指定类型的证据：${shown(kinds)}。`,
      ja: `次の種類の証拠がありません：${shown(kinds)}。`,
    };
  }
  return {
    en: 'verifiable evidence is missing (a file, a log, a link, or the output of a command).',
    zh: '缺少可验证证据（文件/日志/链接/命令输出）。',
    ja: '検証できる証拠がありません（ファイル・ログ・リンク・コマンド出力）。',
  };
}

/** A file that a report names is evidence only if it exists. */
export function missingFiles(files: readonly string[]): Said {
  const names = shown(files, 3);
  return {
    en: `evidence is missing: ${names} does not exist. Name a file that exists, a link, or the output of a command.`,
    zh: `证据文件不存在：${names}。请给出存在的文件、链接或命令输出。`,
    ja: `証拠のファイルがありません：${names}。存在するファイル・リンク・コマンド出力を示してください。`,
  };
}

export const stageOnly: Said = {
  en: 'it says what comes next, not what came out.',
  zh: '仅包含阶段性描述，未给出最终验收结果。',
  ja: '途中経過だけで、最終結果がありません。',
};

export function missingKeyword(role: string, keywords: readonly string[]): Said {
  const who = shown([role]);
  return {
    en: `${who} must name at least one of these: ${shown(keywords)}.`,
    zh: `${who} 交付缺少验收关键词（至少包含其一：${shown(keywords)}）。`,
    ja: `${who} の報告には次のどれかが必要です：${shown(keywords)}。`,
  };
}

export function verifyFailed(failures: readonly string[]): Said {
  return {
    en: `a check failed: ${shown(failures, 3)}.`,
    zh: `验证命令未通过：${shown(failures, 3)}。`,
    ja: `検証コマンドが失敗しました：${shown(failures, 3)}。`,
  };
}
