import type { ProofKind } from '../report/classify-kinds.ts';
import { clausesOf, isDenied, wordFinder } from '../report/classify-words.ts';
import type { Report } from '../report/schema.ts';

export interface Proof {
  kind: ProofKind;
  ref: string;
}

/** What a report is judged by. What it says about later (`nextActions`) proves nothing. */
export type Judged = Pick<Report, 'summary' | 'changes' | 'evidence'>;

export function isStage(text: string): boolean {
  return hasStageWord(text.replaceAll(url, ' ').replaceAll(anyFile, ' '));
}

/** A report has bounds of its own; this one is for words of people. */
const longest = 8192;
const shortestExcerpt = 6;

/** All that a report points to. A clause about what comes next points to nothing yet. */
export function proofsIn({ summary, changes, evidence }: Judged): Proof[] {
  return [
    ...evidence.flatMap(entryProofs),
    ...changes.flatMap((line) => changedFile(line) ?? textProofs(line)),
    ...textProofs(summary),
    ...namedProofs(summary),
  ];
}

function entryProofs({ kind, ref, note = '' }: Report['evidence'][number]): Proof[] {
  const command: Proof[] = commandFirst.test(ref) ? [{ kind: 'command', ref }] : [];
  const said = [...command, ...textProofs(`${ref}\n${note}`)];
  if (kind === 'text' || said.some((proof) => proof.kind === kind)) return said;
  // One word without an extension is a file, or a command, when it is said to be one.
  const isNamed = kind === 'file' ? /^\S+$/u.test(ref) : kind === 'command' && /\p{L}/u.test(ref);
  return isNamed ? [{ kind, ref }, ...said] : said;
}

/** `Makefile: a new target` names a file, `fix: the login` does not. */
function changedFile(line: string): Proof[] | undefined {
  const file = /^([^\s:]{1,300})(?:: \S|$)/.exec(line)?.[1] ?? '';
  const isFile = /[./\\]/.test(file) || plainNames.test(file);
  return isFile ? [{ kind: 'file', ref: file }] : undefined;
}

/** What people name without a path or a link. A denied one (没有截图, "no test log") is none. */
function namedProofs(summary: string): Proof[] {
  return clausesOf(summary.slice(0, longest))
    .filter((clause) => !isStage(clause))
    .flatMap((clause) => {
      const small = clause.toLowerCase();
      return [...small.matchAll(namedOnly)]
        .filter(({ index, 0: ref }) => !isDenied(small, index, ref))
        .map(({ 0: ref }): Proof => ({ kind: 'log', ref: ref.trim() }));
    });
}

/** A path or a link behind "log:" is no excerpt of a log: it counts as what it is. */
function isPointer(ref: string): boolean {
  return /^[\s.。,，;；)]*$/u.test(ref.replaceAll(url, '').replaceAll(anyFile, ''));
}

function textProofs(whole: string): Proof[] {
  const text = whole.slice(0, longest);
  const blocksFound = blocks.flatMap(([kind, pattern]) => matches(kind, pattern, text));
  const excerpts = matches('log', labelled, text).filter(
    ({ ref }) => ref.length >= shortestExcerpt && !onlyWords.test(ref) && !isStage(ref) && !isPointer(ref),
  );
  const pointed = clausesOf(text.replaceAll(fence, '\n'))
    .filter((clause) => !isStage(clause))
    .flatMap((clause) => {
      const links = matches('url', url, clause).filter(({ ref }) => isAddress(ref));
      const rest = clause.replaceAll(url, ' ');
      return [...links, ...phrases.flatMap(([kind, pattern]) => matches(kind, pattern, rest))];
    });
  return [...blocksFound, ...pointed, ...excerpts];
}

function matches(kind: ProofKind, pattern: RegExp, text: string): Proof[] {
  return [...text.matchAll(pattern)]
    .map((match) => ({ kind, ref: match[1] ?? match[0] }))
    .filter(({ ref }) => ref.trim() !== '');
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && new URL(text).hostname !== '';
}

/** Words of somebody who has not done it yet. */
const hasStageWord = wordFinder([
  '接下来',
  '下一步',
  '准备',
  '我先',
  '随后',
  '稍后',
  '计划',
  'これから',
  '次に',
  '予定',
  'will',
  'next',
  'going to',
  'plan to',
]);

const fence = /```[^\n]{0,100}\n([^]{1,8000}?)```/g;
const prompt = /^[ \t]*[$❯][ \t]+([A-Za-z./][^\n]{0,200})/gm;
const stamped = /^[ \t]*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S{0,40}[ \t]+\S[^\n]{0,200}/gm;
const stack = /^[ \t]*(?:at \S{1,200} \(\S{1,300}:\d+\)|Traceback \(most recent call last\))/gm;

/** These go over more than one clause. */
const blocks: readonly (readonly [ProofKind, RegExp])[] = [
  ['command', fence],
  ['command', prompt],
  ['log', stamped],
  ['log', stack],
];

const url = /https?:\/\/[^\s<>"'`()（）[\]，。；、|]{1,2000}/giu;
const extensions =
  'md|txt|log|out|csv|tsv|json|jsonl|ya?ml|toml|ini|xml|html?|css|scss|sql|py|ipynb|[cm]?[jt]sx?|vue|go|rs|rb|php|java|kt|swift|c|cc|cpp|h|hpp|cs|sh|ps1|png|jpe?g|gif|svg|webp|pdf|docx?|xlsx?|pptx?|zip|gz|tgz|patch|diff|mp4|webm|lock|conf|cfg|env|proto';
/** Files that have no extension. */
const plainNames =
  /^(?:(?:Make|Docker|Jenkins|Gem|Proc|Rake|Vagrant)file|LICENSE|README|CHANGELOG|NOTICE|CODEOWNERS)$/;
/** Letters and digits of any script, without its marks; in figures, because the names of classes take long to compile. */
const any = String.raw`\w\u00C0-\u1FFF\u3040-\uD7FF\uF900-\uFAFF`;
const alone = String.raw`(?<![${any}/.\\-])`;
const part = `[${any}.@+-]{1,120}`;
const ascii = String.raw`(?:/[\w.@+-]{1,120})`;
const anyFile = new RegExp(
  [
    String.raw`${alone}[A-Za-z]:\\[^\s"<>|]{1,300}`,
    String.raw`(?<![\w/.~-])(?:~|\.{1,2})${ascii}{1,40}`,
    String.raw`(?<![\w/.~-])${ascii}{2,40}`,
    String.raw`${alone}(?:${part}/){1,40}[${any}.@+-]{0,120}\.[A-Za-z][A-Za-z0-9]{0,7}(?![A-Za-z0-9])`,
    String.raw`${alone}(?!(?:[Nn]ode|[Nn]ext|[Vv]ue|[Nn]uxt|[Rr]eact|[Ee]xpress|[Tt]hree|[Dd]3)\.js)[${any}][${any}-]{0,120}(?:\.[\w-]{1,40}){0,4}\.(?:${extensions})(?![A-Za-z0-9])`,
  ].join('|'),
  'g',
);
const programs =
  'npm|npx|pnpm|yarn|bun|node|deno|python3?|pytest|pip|uv|go|cargo|make|cmake|docker|kubectl|git|curl|bash|sh|mvn|gradle|dotnet|vitest|jest|tsc|ruff|eslint|docket';
const ran = new RegExp(`\`((?:${programs})(?: [^\`\n]{1,200})?)\``, 'giu');
/** An entry in a list of evidence: `npm test: all green`. */
const commandFirst = new RegExp(`^\\s*(?:${programs})\\s[^\n]`, 'iu');
const outcome =
  /\bexit(?:ed)?(?: with)?(?: code| status)? ?[:=]? ?\d{1,3}\b|(?:退出码|返回码|終了コード)[\s:：=]{0,3}\d{1,3}|\b\d{1,6}(?:\/\d{1,6})? (?:tests? |specs? |checks? )?(?:passed|passing|failed|failures?|skipped)\b|\b\d{1,6}(?:\/\d{1,6})?\s?(?:个|项|条|件)?(?:测试|用例|テスト)?\s?(?:全部|均)?(?:通过|成功|合格)|(?:通过|成功)\s?\d{1,6}\s?(?:个|项|条|件)/giu;
const commit = /(?:\bcommit|\bsha|提交|コミット)[\s:：=]{1,3}`?([0-9a-f]{7,40})(?![\w-])/giu;
const labelled =
  /(?:\b(?:logs?|output|stdout|stderr|trace|screenshot)|日志|输出|截图|堆栈|ログ|出力|スクリーンショット)[:：]\s{0,10}([^\n]{1,300})/giu;
const level = /(?<![A-Z])(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)[\]:| ]{1,3}[^\s,，.。][^\n]{3,200}/gu;

const kinds = 'logs?|outputs?|screenshots?|traces?|日志|输出|截图|录屏|堆栈|ログ|出力|スクリーンショット';
const makers =
  'pytest|unittest|jest|vitest|mocha|junit|npm|cargo|go|ci|build|tests?|server|run|deploy|console|command|测试|构建|编译|运行|部署|控制台|命令|页面|テスト|ビルド|実行';
/**
 * A log or a screenshot that somebody names without a path: `pytest log`, 测试日志, "see screenshot". In free words only, where
 * the form that people are asked for says 证据: 日志/截图/链接; that form sent back as it is names a link and has none.
 */
const namedOnly = new RegExp(
  [
    String.raw`(?<![\w-])(?:${makers})(?:\s(?:tests?\s)?)?(?:${kinds})(?![\w-])`,
    String.raw`(?:\bsee(?: the)?\s|\battached(?: is)?(?: the| a)?\s|见|附上?|添付の?)(?:${kinds})(?![\w-])`,
    String.raw`^[\s\S]{0,80}?(?:证据|证明|\bevidence|\bproof|証拠)\s{0,3}[:：]\s{0,3}(?:(?:${kinds})[\s/、.。]{0,3}){1,3}$`,
    String.raw`^\s*(?:(?:${kinds})[\s/、.。]{0,3}){1,3}$`,
  ].join('|'),
  'giu',
);

/** These stand inside one clause. */
const phrases: readonly (readonly [ProofKind, RegExp])[] = [
  ['file', anyFile],
  ['command', ran],
  ['command', outcome],
  ['commit', commit],
  ['log', level],
];

/** The words for evidence are none: a form that was sent back empty has only these. */
const onlyWords =
  /^(?:logs?|outputs?|screenshots?|links?|files?|evidence|none|n\/a|日志|输出|截图|链接|文件|证据|无|ログ|出力|リンク|なし|[\s/、,，.。…-])*$/iu;
