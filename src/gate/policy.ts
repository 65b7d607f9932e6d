import type { ProofKind } from '../report/classify-kinds.ts';
import { affirms } from '../report/classify-words.ts';
import { clip } from '../report/clip.ts';
import type { CommandResult } from './commands.ts';
import { isStage, type Judged, type Proof, proofsIn } from './policy-evidence.ts';

/** When work counts as done. What a role does not say, it does not ask for. */
export interface Policy {
  global: { requireEvidence: boolean };
  roles: Readonly<Record<string, RolePolicy>>;
}

interface RolePolicy {
  /** A report has one of these words at least. */
  requireAny?: readonly string[];
  /** A report has evidence of each of these kinds. */
  requiredEvidence?: readonly ProofKind[];
  /** What docket runs itself; all of them must end with 0. */
  verifyCommands?: readonly string[];
}

interface Judgement {
  ok: boolean;
  reasonCode:
    | 'accepted'
    | 'missing_evidence'
    | 'stage_only'
    | 'role_policy_missing_keyword'
    | 'verify_failed';
  reason: Said;
  /** What would help: words, kinds of evidence, or commands. */
  missing: readonly string[];
  /** What it points to, as `kind: reference`. */
  evidence: readonly string[];
}

/** The verdict goes into the journal. */
const mostShown = 20;

/** Judges what a report says in its fields; a file that it names must be there. It runs nothing: see `verifyCommandsOf` and `judgeCommands`. */
export function judge(
  policy: Policy,
  role: string,
  report: Judged,
  isThere: (file: string) => boolean = () => true,
): Judgement {
  const { requireAny = [], requiredEvidence = [] } = roleIn(policy, role);
  const named = proofsIn(report);
  const absent = named.filter(({ kind, ref }) => kind === 'file' && !isThere(ref));
  const proofs = named.filter((proof) => !absent.includes(proof));
  const evidence = proofs.slice(0, mostShown).map(({ kind, ref }) => `${kind}: ${clip(ref.trim(), 200)}`);
  const lacking = requiredEvidence.filter((kind) => !proofs.some((proof) => proof.kind === kind));
  const text = textOf(report);
  if ((policy.global.requireEvidence && proofs.length === 0) || lacking.length > 0)
    return refuse('missing_evidence', whyMissing(lacking, absent), lacking);
  if (proofs.length === 0 && isStage(report.summary)) return refuse('stage_only', stageOnly, []);
  if (requireAny.length > 0 && !affirms(text, requireAny))
    return refuse('role_policy_missing_keyword', missingKeyword(role, requireAny), requireAny);
  return { ok: true, reasonCode: 'accepted', reason: accepted, missing: [], evidence };

  function refuse(reasonCode: Judgement['reasonCode'], reason: Said, missing: readonly string[]): Judgement {
    return { ok: false, reasonCode, reason, missing, evidence };
  }
}

function whyMissing(lacking: readonly ProofKind[], absent: readonly Proof[]): Said {
  const files = [...new Set(absent.map(({ ref }) => ref))];
  const isAsked = lacking.length === 0 || lacking.includes('file');
  return files.length > 0 && isAsked ? missingFiles(files) : missingEvidence(lacking);
}

export function verifyCommandsOf(policy: Policy, role: string): readonly string[] {
  return roleIn(policy, role).verifyCommands ?? [];
}

/** The second half of the gate. One that was not run has not passed. */
export function judgeCommands(
  so: Judgement,
  commands: readonly string[],
  results: readonly CommandResult[],
): Judgement {
  const failures = commands.flatMap((command, index) => {
    const result = results[index];
    if (result?.command !== command) return [{ command, how: 'not run' }];
    if (result.code === 0) return [];
    return [{ command, how: result.timedOut ? 'took too long' : `exit ${result.code}` }];
  });
  if (failures.length === 0) return so;
  const reason = verifyFailed(failures.map(({ command, how }) => `${command} (${how})`));
  return {
    ...so,
    ok: false,
    reasonCode: 'verify_failed',
    reason,
    missing: failures.map(({ command }) => command),
  };
}

/** Roles are written small in the files; who reports may be spelt otherwise. */
function roleIn({ roles }: Policy, role: string): RolePolicy {
  const name = [role, role.trim().toLowerCase()].find((key) => Object.hasOwn(roles, key));
  return (name === undefined ? undefined : roles[name]) ?? {};
}

/** What it says, and nothing of how it is written. A mark between the parts keeps a "not" where it belongs. */
function textOf({ summary, changes, evidence }: Judged): string {
  return [summary, ...changes, ...evidence.flatMap(({ ref, note = '' }) => [ref, note])].join(' ; ');
}

/** The same sentence in each language that the board speaks. */
type Said = Readonly<Record<'en' | 'zh' | 'ja', string>>;

const shown = (list: readonly string[], most = 6): string =>
  list
    .slice(0, most)
    .map((entry) => clip(entry.replaceAll(/\s+/g, ' ').trim(), 80))
    .join(', ');

const accepted: Said = {
  en: 'accepted by the policy',
  zh: '通过验收策略',
  ja: '受け入れ基準を満たしています',
};

function missingEvidence(kinds: readonly string[]): Said {
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
function missingFiles(files: readonly string[]): Said {
  const names = shown(files, 3);
  return {
    en: `evidence is missing: ${names} does not exist. Name a file that exists, a link, or the output of a command.`,
    zh: `证据文件不存在：${names}。请给出存在的文件、链接或命令输出。`,
    ja: `証拠のファイルがありません：${names}。存在するファイル・リンク・コマンド出力を示してください。`,
  };
}

const stageOnly: Said = {
  en: 'it says what comes next, not what came out.',
  zh: '仅包含阶段性描述，未给出最终验收结果。',
  ja: '途中経過だけで、最終結果がありません。',
};

function missingKeyword(role: string, keywords: readonly string[]): Said {
  const who = shown([role]);
  return {
    en: `${who} must name at least one of these: ${shown(keywords)}.`,
    zh: `${who} 交付缺少验收关键词（至少包含其一：${shown(keywords)}）。`,
    ja: `${who} の報告には次のどれかが必要です：${shown(keywords)}。`,
  };
}

function verifyFailed(failures: readonly string[]): Said {
  return {
    en: `a check failed: ${shown(failures, 3)}.`,
    zh: `验证命令未通过：${shown(failures, 3)}。`,
    ja: `検証コマンドが失敗しました：${shown(failures, 3)}。`,
  };
}
