import { createHash } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { listDir } from '../../io/files.ts';
import { packageRoot } from '../../io/package-root.ts';
import { readTextFile } from '../../io/text-file.ts';
import { readAttached, readInput } from './files.ts';
import { type Attached, compose, type Composed } from './format/compose.ts';
import { type Forbidden, forbiddenIn, withoutProhibitions } from './format/forbidden.ts';
import type { DigestPolicy, Manifest } from './format/manifest.ts';
import type { StageSettings } from './format/resolve.ts';
import { needsShortPrompt } from './format/stages.ts';
import type { OwnWords } from './plan.ts';
import type { Redactor } from './redactor.ts';

interface Template {
  text: string;
  /** The file it came from. */
  source: string;
}

const maxBytes = 256 * 1024;
const plainWord = /^[a-z][a-z0-9_]*$/;

/** What a stage's agent is told: the workspace's own words for this tool and role, for the role, or those that come with docket. */
export function findTemplate(root: string, tool: string, role: string): Template {
  if (!plainWord.test(tool) || !plainWord.test(role))
    throw new DocketError(
      'INVALID',
      `"${tool}_${role}" is not the name of a stage`,
      'write <tool>_<role> in small letters, digits and underscores',
      { tool, role },
    );
  return firstOf(root, [`${tool}/${role}.md`, `${role}.md`]);
}

/** The rules that every stage's prompt begins with. */
export function findSharedRules(root: string): Template {
  return firstOf(root, ['shared.md']);
}

function firstOf(root: string, names: readonly [string, ...string[]]): Template {
  const places = [
    path.join(root, 'prompts-src', names[0]),
    ...names.map((name) => path.join(root, '.docket', 'prompts', 'packet', name)),
    ...names.map((name) => path.join(packageRoot(), 'prompts', 'packet', name)),
  ];
  for (const source of places) {
    const text = readTextFile(source, maxBytes);
    if (text === undefined) continue;
    if (text.trim() !== '') return { text, source };
    throw new DocketError('BAD_FILE', `${source} is empty`, 'write what the agent is to do, or remove it', {
      path: source,
    });
  }
  throw new DocketError(
    'NOT_FOUND',
    `there is no prompt template ${names.join(' or ')}`,
    `write ${path.join('.docket', 'prompts', 'packet', names[0])}`,
    { looked: places },
  );
}

const contextPack = 'inputs/context_pack.md';

/** What people give to every stage, as it is now. */
interface Given {
  request: string;
  context: string;
  attachments: Attached[];
}

export function readGiven(dir: string): Given {
  const request = readInput(dir, 'inputs/user_request.md');
  if (request === undefined || request.trim() === '')
    throw new DocketError(
      'NOT_FOUND',
      `${dir}/inputs/user_request.md is missing or empty`,
      'write what is to be done into it',
      { path: `${dir}/inputs/user_request.md` },
    );
  return { request, context: readInput(dir, contextPack) ?? '', attachments: readAttached(dir) };
}

/**
 * A forbidden path must not appear in any input; if one does, nothing is sent. A section that says what must not be
 * touched may name it, and so may the lines that a brief wrote, whose answer was checked when it came.
 */
export function assertNothingForbidden(given: Given, manifest: Manifest, own?: OwnWords): void {
  const isAsLeft = own?.pack === hash(given.context);
  const texts = [
    { where: 'inputs/user_request.md', text: withoutProhibitions(given.request) },
    ...(isAsLeft ? [] : [{ where: contextPack, text: withoutProhibitions(given.context) }]),
    ...given.attachments.map(({ name, text }) => ({
      where: `inputs/attachments/${name}`,
      text: name.endsWith('.md') ? withoutProhibitions(text) : text,
    })),
  ];
  const paths = manifest.security.forbidden_paths;
  const attached = given.attachments.flatMap(({ name }) => {
    const [match] = forbiddenIn([{ where: `inputs/attachments/${name}`, text: name }], paths);
    return match ? [match] : [];
  });
  const lines = given.context.split(/\r\n|[\r\n]/);
  const isBriefed = ({ where, line }: Forbidden): boolean =>
    where === contextPack && own?.lines.includes(lines[line - 1] ?? '') === true;
  const found = [...attached, ...forbiddenIn(texts, paths).filter((one) => !isBriefed(one))];
  const [first] = found;
  if (!first) return;
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
  throw new DocketError(
    'REFUSED',
    `${first.where}:${first.line} names the forbidden path ${first.path}${more}`,
    'take it out of the inputs, or out of security.forbidden_paths in manifest.yaml',
    { found },
  );
}

/** The lines of a context pack that name forbidden paths: a brief that wrote them is not asked again. */
export function linesNamingForbidden(context: string, { security }: Manifest): string[] {
  const lines = context.split(/\r\n|[\r\n]/);
  const found = forbiddenIn([{ where: contextPack, text: context }], security.forbidden_paths);
  return [...new Set(found.map(({ line }) => lines[line - 1] ?? ''))];
}

/** What a stage is told. Every part is redacted before anything is put together. */
export async function composed(
  settings: StageSettings,
  given: Given & { extra: readonly Attached[]; task: string },
  policy: DigestPolicy,
  { root, redactor }: { root: string; redactor: Redactor },
): Promise<Composed> {
  const attachments: Attached[] = [];
  for (const { name, text } of [...given.attachments, ...given.extra])
    attachments.push({ name: await redactor.redact(name), text: await redactor.redact(text) });
  return compose({
    shared: findSharedRules(root).text,
    role: findTemplate(root, settings.tool, settings.role).text,
    task: await redactor.redact(given.task),
    context: await redactor.redact(given.context),
    request: await redactor.redact(given.request),
    attachments,
    digest: policy,
  });
}

/** By what a finished stage is known to be up to date. */
export function inputsOf(
  settings: StageSettings,
  given: Given,
  manifest: Manifest,
  root: string,
): Record<string, string> {
  const { tool, role, model, effort } = settings;
  const { commands } = manifest.acceptance;
  return {
    request: hash(given.request),
    context: hash(given.context),
    attachments: hash(JSON.stringify(given.attachments)),
    rules: hash(findSharedRules(root).text),
    template: hash(findTemplate(root, tool, role).text),
    digest: digestFor(settings, manifest),
    model,
    ...(effort !== undefined && { effort }),
    ...(role === 'verify' && { commands: hash(JSON.stringify(commands)) }),
  };
}

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function digestFor({ tool }: StageSettings, manifest: Manifest): DigestPolicy {
  return needsShortPrompt(tool) ? 'aggressive' : manifest.context.digest_policy;
}

/** What stages before handed in, under the names that readers of a consolidating stage know. */
const handedOn: readonly [file: string, name: string][] = [
  ['gemini_review.gemini.out', 'gemini_review.md'],
  ['gemini_test_design.gemini.out', 'test_matrix.md'],
  ['gemini_static_verify.gemini.out', 'verification_checklist.md'],
  ['codex_review.codex.out', 'codex_review.md'],
  ['codex_test_impl.codex.out', 'test_implementation_report.md'],
  ['codex_verify.codex.out', 'verification_report.md'],
  ['codex_verify.artifact.md', 'verification_gate_artifact.md'],
  ['copilot_review.copilot.out', 'copilot_review.md'],
];

export function earlierOutputs(dir: string, done: ReadonlySet<string>): Attached[] {
  const there = new Set(listDir(`${dir}/outputs`));
  return handedOn.flatMap(([file, name]) => {
    const stage = file.split('.', 1)[0] ?? '';
    const text = there.has(file) && done.has(stage) ? readInput(dir, `outputs/${file}`) : undefined;
    return text === undefined || text.trim() === '' ? [] : [{ name, text }];
  });
}
