import path from 'node:path';
import { safeUrl } from '../../channel/listen-at.ts';
import { DocketError } from '../../errors.ts';
import { noFile } from '../../errors/no-file.ts';
import { readBytes } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { checkQueueFile } from '../../kinds/queue/check-file.ts';
import { queueFile } from '../../kinds/queue/format/file.ts';
import { parseConfig } from '../../settings/config.ts';
import { taktFiles } from '../../settings/takt-files.ts';
import type { Finding } from '../../store/store.ts';
import { checkJournal, checkMissing } from '../../store/upkeep/check-journal.ts';
import { placesIn } from './yaml-place.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What docket knows how to check, by the file's place or name. */
const kinds: { matches: RegExp; check: (file: string, env: Env) => Promise<Finding[]> }[] = [
  { matches: /(^|\/)tasks\.yaml$/, check: async (file) => checkQueueFile(file) },
  { matches: /(^|\/)\.docket\/config\.yaml$/, check: checkConfig },
  { matches: /(^|\/)\.takt\/(agents|debug)\.yaml$/, check: checkTaktSettings },
  {
    matches: /(^|\/)journal\.jsonl$|(^|\/)archive\/\d{12}\.jsonl$/,
    check: async (file) => checkJournal(file),
  },
];
const inRoot = [queueFile, ...taktFiles, '.docket/config.yaml', '.docket/queue/journal.jsonl'];

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
    if (error instanceof DocketError) throw new DocketError(error.code, error.message, error.advice, at);
    throw error;
  }
}
