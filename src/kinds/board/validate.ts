import path from 'node:path';
import { parseOpenIds } from '../../channel/feishu/openids.ts';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { someNames } from '../../errors/some-names.ts';
import { readBytes } from '../../io/files.ts';
import { readTextFile } from '../../io/text-file.ts';
import { lineAndColumn, parseJson } from '../../schema/json.ts';
import { type FileProblem, placeInJson } from '../../schema/read.ts';
import type { Project } from '../../settings/project.ts';
import { isSealed, logCodec, sealIn } from '../../store/codec.ts';
import type { Finding } from '../../store/store.ts';
import { rebuildWhole } from '../../store/upkeep/rebuild-whole.ts';
import { faultIn } from '../../store/upkeep/store-files.ts';
import { isObject } from '../../task/json.ts';
import type { JsonFile, JsonRead } from './format/json-file.ts';
import { boardLayout, snapshot } from './format/layout.ts';
import { locksFolder, logFile, ownFolder } from './format/places.ts';
import { readPolicy } from './format/policy-file.ts';
import { readProtocol } from './format/protocol.ts';
import { boardLocks, type FoundLock } from './locks.ts';

/** Everything that is wrong with a board, each with its file and line. Changes nothing. */
export async function validateBoard(where: Project): Promise<Finding[]> {
  const log = [...checkLog(where.root), ...checkLoss(where.root)];
  const isRead = !log.some(({ severity }) => severity === 'error');
  return [
    ...checkSettings(where.root),
    ...log,
    ...(isRead ? await checkSnapshot(where) : []),
    ...(await checkLocks(where)),
  ];
}

const codec = logCodec(boardLayout.log);
const accept = fix`accept the log without it: ${command`repair board`}`.text;
const mended = 'nothing to do: the next command that writes puts it aside';

/** Every line by itself, so that all bad ones are told and not the first alone. */
function checkLog(root: string): Finding[] {
  const bytes = readBytes(path.join(root, logFile));
  if (bytes === undefined) return [];
  const findings: Finding[] = [];
  const seen = new Map<string, number>();
  const found = (severity: Finding['severity'], line: number, message: string, fix: string) =>
    findings.push({ severity, path: logFile, line, message, fix });
  let line = 1;
  let last = '';
  const base = codec.baseOf(bytes.subarray(0, Math.max(0, bytes.indexOf(10))));
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(10, start);
    const stop = end < 0 ? bytes.length : end;
    const alone = codec.decode(bytes, start, stop, base + line);
    const event = alone && codec.decode(bytes, start, stop, base + line, last);
    if (isSealed(bytes, start, stop)) last = sealIn(bytes.toString('latin1', start, stop));
    if (event === undefined && end < 0)
      found('warning', line, 'the last line is torn: a write was cut short', mended);
    else if (alone === undefined)
      found(
        'error',
        line,
        'this is no event, or somebody has changed it',
        `restore the line from a backup, or ${accept}`,
      );
    else if (event === undefined)
      found(
        'error',
        line,
        'a line of docket before it is missing, or was moved',
        `restore the file from a backup, or ${accept}`,
      );
    const before = event?.id === undefined ? undefined : seen.get(event.id);
    if (before !== undefined)
      found('warning', line, `eventId ${event?.id} stands in line ${before} already`, 'remove one of them');
    if (event?.id !== undefined) seen.set(event.id, line);
    start = end < 0 ? bytes.length : end + 1;
  }
  return findings;
}

/** Lines that are not there any more: no line that is says so. */
function checkLoss(root: string): Finding[] {
  const fault = faultIn({ root, dir: path.join(root, ownFolder), layout: boardLayout });
  if (!fault || !('missing' in fault.data)) return [];
  const message = fault.message.replace(`${path.join(root, logFile)}: `, '');
  return [{ severity: 'error', path: logFile, message, fix: fault.fix }];
}

async function checkSnapshot(where: Project): Promise<Finding[]> {
  const { root, clock } = where;
  const todo = String(command`board rebuild`);
  const wrong = (message: string): Finding => ({
    severity: 'warning',
    path: snapshot.path,
    message,
    fix: todo,
  });
  try {
    const options = { root, dir: path.join(root, ownFolder), layout: boardLayout, clock };
    const { broken, missing, unknown, changed, tasks } = await rebuildWhole(options, { dryRun: true });
    if (broken === 'unreadable') return [wrong('it is not JSON with tasks')];
    if (broken === 'missing') return tasks === 0 ? [] : [wrong('it is not there, though the log has tasks')];
    const told = {
      'the log has them, it has not': missing,
      'the log has not': unknown,
      'the log says otherwise': changed,
    };
    return Object.entries(told).flatMap(([what, ids]) =>
      ids.length === 0 ? [] : [wrong(`${what}: ${someNames(ids, 10)}`)],
    );
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    const { line } = error.data as { line?: number };
    const { message, fix: how } = error;
    return [{ severity: 'error', path: logFile, ...(line !== undefined && { line }), message, fix: how }];
  }
}

/** Whether somebody has a lock is known to who asks for it; where nothing can be written, nobody can ask. */
async function checkLocks({ root, clock }: Project): Promise<Finding[]> {
  let locks: FoundLock[];
  try {
    locks = await boardLocks({ root, clock });
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    const message = `the locks were not looked at: ${error.message}`;
    return [{ severity: 'note', path: locksFolder, message, fix: error.fix }];
  }
  return locks
    .filter(({ stale, kind }) => stale && kind === 'board')
    .map(({ path: file, reason, owner }) => ({
      severity: 'warning',
      path: file,
      message: `a lock that nobody has any more (${reason}${owner === undefined ? '' : `, it was ${owner}'s`})`,
      fix: String(command`board unlock`),
    }));
}

type Check = (file: JsonFile) => Finding[];

const files: readonly (readonly [string, Check])[] = [
  ['config/acceptance-policy.json', reading(readPolicy)],
  ['state/acceptance-policy.json', reading(readPolicy)],
  ['docs/protocol-config.json', reading(readProtocol)],
  ['config/feishu-bot-openids.json', checkOpenIds],
  ['state/feishu-bot-openids.json', checkOpenIds],
  ['state/clarify.cooldown.json', checkObject],
  ['state/user-friendly.autopilot.json', checkObject],
];
const longestFile = 1024 * 1024;

/** Everything that is wrong in the files with settings; what is missing is not. */
export function checkSettings(root: string): Finding[] {
  return files.flatMap(([file, check]) => {
    try {
      const text = readTextFile(path.join(root, file), longestFile);
      return text === undefined ? [] : check({ file, text });
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      return [{ severity: 'error' as const, path: file, message: error.message, fix: error.fix }];
    }
  });
}

function reading(read: (file: JsonFile) => JsonRead<unknown>): Check {
  return (file) => {
    const found = (severity: Finding['severity'], problems: readonly FileProblem[]): Finding[] =>
      problems.map((problem) => ({ severity, path: file.file, ...problem }));
    try {
      return found('note', read(file).unknown);
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      return found('error', error.data['problems'] as FileProblem[]);
    }
  };
}

function checkObject({ file, text }: JsonFile): Finding[] {
  const wrong = (message: string, at: { line: number; column: number }): Finding[] => [
    { severity: 'error', path: file, ...at, message, fix: 'mend the JSON, or remove the file' },
  ];
  const parsed = parseJson(text);
  if (!('value' in parsed)) return wrong(parsed.message, lineAndColumn(text, parsed.at));
  return isObject(parsed.value) ? [] : wrong('it is no JSON object', { line: 1, column: 1 });
}

/** An entry that names nobody is passed over when the map is used: here it is told. */
function checkOpenIds(file: JsonFile): Finding[] {
  const wrong = checkObject(file);
  if (wrong.length > 0) return wrong;
  const value = JSON.parse(file.text) as Record<string, unknown>;
  const { byRole } = parseOpenIds(file.text, file.file);
  const nested = ['byAccountId', 'byRole'].filter((key) => isObject(value[key]));
  const entries = (nested.length > 0 ? nested : ['']).flatMap((key) =>
    Object.keys((key === '' ? value : value[key]) as object).map((role) =>
      key === '' ? [role] : [key, role],
    ),
  );
  return entries
    .filter((at) => !byRole.has(at.at(-1) ?? ''))
    .map((at) => ({
      severity: 'error',
      path: file.file,
      ...placeInJson(file.text, at),
      message: `${at.join('.')} has no open id`,
      fix: 'write {"open_id": "ou_…", "name": "…"}',
    }));
}
