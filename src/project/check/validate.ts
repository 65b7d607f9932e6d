import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { safeUrl } from '../../channel/listen-at.ts';
import { DocketError } from '../../errors.ts';
import { noFile } from '../../errors/no-file.ts';
import { readBytes, sizeAndInode } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { queueLayout } from '../../kinds/queue/format/layout.ts';
import { nthOf } from '../../kinds/queue/format/names.ts';
import type { Entry } from '../../layout/layout.ts';
import { parseConfig } from '../../settings/config.ts';
import { taktFiles } from '../../settings/takt-files.ts';
import { findingsOf } from '../../store/edit-notices.ts';
import type { Finding } from '../../store/store.ts';
import { checkJournal, checkMissing } from '../../store/upkeep/check-journal.ts';
import type { Fields } from '../../task/json.ts';
import { placesIn } from './yaml-place.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What docket knows how to check, by the file's place or name. */
const kinds: { matches: RegExp; check: (file: string, env: Env) => Promise<Finding[]> }[] = [
  { matches: /(^|\/)tasks\.yaml$/, check: checkQueueFile },
  { matches: /(^|\/)\.docket\/config\.yaml$/, check: checkConfig },
  { matches: /(^|\/)\.takt\/(agents|debug)\.yaml$/, check: checkTaktSettings },
  {
    matches: /(^|\/)journal\.jsonl$|(^|\/)archive\/\d{12}\.jsonl$/,
    check: async (file) => checkJournal(file),
  },
];
const inRoot = [queueLayout.mirror, ...taktFiles, '.docket/config.yaml', '.docket/queue/journal.jsonl'];

export async function validatePath(target: string, env: Env): Promise<Finding[]> {
  if (isDirectory(target)) {
    const files = inRoot
      .map((name) => path.join(target, name))
      .filter((file) => readBytes(file) !== undefined);
    const found = (await Promise.all(files.map((file) => checkFile(file, env)))).flat();
    return [...found, ...checkMissing(path.join(target, '.docket', 'queue'))];
  }
  if (readBytes(target) === undefined) {
    throw noFile(target);
  }
  return checkFile(target, env);
}

async function checkFile(file: string, env: Env): Promise<Finding[]> {
  const kind = kinds.find(({ matches }) => matches.test(file.replaceAll('\\', '/')));
  if (kind) return kind.check(file, env);
  throw new DocketError(
    'INVALID',
    `docket does not know what ${file} is`,
    `it can check a folder, tasks.yaml, .docket/config.yaml and a journal`,
    { path: file },
  );
}

async function checkQueueFile(file: string): Promise<Finding[]> {
  const bytes = readBytes(file) ?? Buffer.alloc(0);
  if (!isUtf8(bytes)) {
    return [
      { severity: 'error', path: file, message: 'the file is not valid UTF-8', fix: 'save it as UTF-8' },
    ];
  }
  const sheet = queueLayout.split(bytes.toString('utf8'));
  if (sheet.wrong) return [{ severity: 'error', path: file, ...sheet.wrong }];
  const findings: Finding[] = [];
  for (const entry of sheet.entries) {
    const parsed = queueLayout.parse(entry);
    if ('wrong' in parsed) {
      findings.push(...findingsOf(parsed.wrong, file));
      continue;
    }
    const remarks = queueLayout.remarks?.(entry) ?? [];
    findings.push(
      ...remarks.flatMap((wrong) => findingsOf(wrong, file)),
      ...missingText(parsed.fields, entry, file),
    );
    if (nthOf(entry.ref) > 1) {
      const message = `the name of "${entry.ref}" stands before, for another task`;
      const at = { line: entry.line, column: 1 };
      findings.push({ severity: 'warning', path: file, ...at, message, fix: 'rename one of them' });
    }
  }
  return findings;
}

/** A task that waits has its text where the record says; of one that is over nobody needs it any more. */
function missingText(fields: Fields, { line }: Entry, file: string): Finding[] {
  const { task_dir: folder, content_file: text, status = 'pending' } = fields;
  const name = typeof folder === 'string' ? `${folder}/order.md` : text;
  const root = path.resolve(file, '../..');
  const isQueue = path.join(root, queueLayout.mirror) === path.resolve(file);
  if (!isQueue || status !== 'pending' || typeof name !== 'string') return [];
  if (sizeAndInode(path.resolve(root, name)) !== undefined) return [];
  const message = `the text of the task is missing: there is no file ${name}`;
  const fix = 'Write the file, or say the text in "content:" instead.';
  return [{ severity: 'error', path: file, line, column: 1, message, fix }];
}

async function checkTaktSettings(file: string): Promise<Finding[]> {
  const { readTaktSettings } = await import('../../settings/takt-settings.ts');
  const { findings } = readTaktSettings(path.resolve(file, '../..'));
  return findings.filter((finding) => finding.path === path.resolve(file));
}

async function checkConfig(file: string, env: Env): Promise<Finding[]> {
  try {
    const text = readBytes(file)?.toString('utf8') ?? '';
    const [{ readConfig }, { unknownAgentsIn }] = await Promise.all([
      import('../../settings/read-config.ts'),
      import('../../settings/named-agents.ts'),
    ]);
    const own = await parseConfig(text, file);
    const at = await placesIn(text);
    const place = (key: readonly (string | number)[]) => at(key) ?? { line: 1, column: 1 };
    const webhook = own.notify?.webhook;
    if (webhook !== undefined) assertUrl(webhook, { path: file, ...place(['notify', 'webhook']) });
    const all = await readConfig(path.resolve(file, '../..'), env);
    const unknown = unknownAgentsIn(own, all);
    return unknown.map(({ place: key, message, fix }) => ({
      severity: 'error',
      path: file,
      ...place(key),
      message,
      fix,
    }));
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    const { path: where, line, column } = error.data as { path?: string; line?: number; column?: number };
    const message = error.message.replace(/^.*?:\d+:\d+: /, '');
    const at = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
    return [{ severity: 'error', path: where ?? file, ...at, message, fix: error.fix }];
  }
}

/** The same rule as when a message is posted. */
function assertUrl(url: string, at: { path: string; line: number; column: number }): void {
  try {
    safeUrl(url, 'notify.webhook');
  } catch (error) {
    if (error instanceof DocketError) throw new DocketError(error.code, error.message, error.fix, at);
    throw error;
  }
}
