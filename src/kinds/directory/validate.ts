import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { placeInside } from '../../io/inside.ts';
import { exists } from '../../io/links.ts';
import { readTextFile } from '../../io/text-file.ts';
import { walk } from '../../io/walk.ts';
import { check } from '../../schema/check.ts';
import { parseJson } from '../../schema/json.ts';
import { jsonPath, quoted } from '../../schema/problem.ts';
import { decodeLine, isSealed, isStray, logCodec, maxLineBytes } from '../../store/codec.ts';
import type { Finding } from '../../store/store.ts';
import { faultIn } from '../../store/upkeep/store-files.ts';
import type { Json } from '../../task/json.ts';
import { checkDirectory } from './format/check/directory.ts';
import { Inspection, type Directory } from './format/check/inspection.ts';
import { eventSchema } from './format/file-schemas.ts';
import { log } from './format/log.ts';
import { assertTaskDir } from './place.ts';
import { isPortable } from './portable.ts';

const maxBytes = 64 * 1024 * 1024;
/** YAML takes a microsecond and more for every byte, and the store takes no longer one. */
const maxYamlBytes = 1024 * 1024;
const maxEntries = 100_000;

/** Holds a task directory against its format. Reads only, and nothing that lies in it can make it fail. */
export async function validateTaskDir(dir: string): Promise<Finding[]> {
  assertTaskDir(dir);
  const inspection = new Inspection(directoryAt(dir));
  const { kinds } = inspection.dir;
  for (const [name, kind] of kinds)
    if (kind === 'link' && !leadsInside(dir, name))
      inspection.error(
        name,
        'it is a link that leads out, or nowhere',
        'put what it stands for in its place',
      );
  if (kinds.size >= maxEntries)
    inspection.warn('', `it holds more than ${maxEntries} names; the rest was not looked at`, 'clear it up');
  checkDirectory(inspection);
  checkLog(inspection);
  const isSpoiled = inspection.remarks.some((one) => one.severity === 'error' && one.path === log.path);
  if (!isSpoiled) await checkStore(inspection, dir);
  return inspection.remarks.map((remark) => ({ ...remark, path: path.join(dir, remark.path) }));
}

/** What only those lines tell together, and docket's own mark: whether one is missing, at the end or before it. */
async function checkStore(inspection: Inspection, dir: string): Promise<void> {
  const project = path.resolve(dir, '..', '..', '..');
  const store = path.join(project, '.docket', 'agentmesh', inspection.dir.id);
  if (!exists(path.join(store, 'store.json'))) return; // another tool's
  const fault = faultIn({ root: dir, dir: store, layout: { log } });
  if (!fault) return;
  const { line } = fault.data as { line?: number };
  const message = fault.message.replace(path.join(dir, log.path), '').replace(/^[\d: ]+/, '');
  inspection.error(log.path, message, fault.fix, line);
}

function directoryAt(dir: string): Directory {
  const kinds = new Map<string, 'file' | 'folder' | 'link' | 'other'>();
  // A vendor's home is its own affair, and its login is a link to the user's.
  for (const found of walk(dir, ({ path: name }) => isPortable(name, 'folder'))) {
    if (kinds.size >= maxEntries) break;
    kinds.set(found.path, found.kind);
  }
  const project = path.resolve(dir, '..', '..', '..');
  return {
    id: path.basename(dir),
    kinds,
    read: (name) => readable(path.join(dir, name)),
    isInProject: (name) => {
      try {
        return exists(placeInside(project, name));
      } catch {
        return false;
      }
    },
  };
}

function readable(file: string): { text: string } | { problem: string; fix: string } {
  try {
    const text = readTextFile(file, file.endsWith('.yaml') ? maxYamlBytes : maxBytes);
    return text === undefined ? { problem: 'it is gone', fix: 'look again' } : { text };
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    return { problem: error.message.replace(`${file} `, 'it '), fix: error.fix };
  }
}

function leadsInside(dir: string, name: string): boolean {
  try {
    placeInside(dir, name);
    return true;
  } catch {
    return false;
  }
}

const restore = 'restore the file from a backup; docket never changes a line that is there';

/** Line by line. What docket wrote carries a checksum; what other tools wrote is taken at its word. */
function checkLog(inspection: Inspection): void {
  const text = inspection.text(log.path);
  if (text === undefined) return;
  const lines = text.split('\n');
  const rest = lines.pop();
  let created = 0;
  for (const [n, line] of lines.entries()) {
    const found = eventIn(inspection, line, n + 1);
    if (typeof found === 'string' && isIgnored(Buffer.from(line)))
      inspection.warn(log.path, `${found}; docket ignores it`, setAside(inspection), n + 1);
    else if (typeof found === 'string') inspection.error(log.path, found, restore, n + 1);
    else if (found['type'] === 'task.created') created += 1;
  }
  if (rest !== '')
    inspection.warn(
      log.path,
      'the last line has no end: its write was cut short',
      'nothing to do: the next command that writes keeps it aside',
      lines.length + 1,
    );
  if (created === 0)
    inspection.error(
      log.path,
      'no line says that the task was created',
      'add a task.created as its first line, if no docket has written to it yet',
    );
}

const codec = logCodec(log);

/** As the store reads it. */
function isIgnored(line: Buffer): boolean {
  return isStray(line, 0, line.length) && codec.decode(line, 0, line.length, 1) === undefined;
}

function setAside({ dir }: Inspection): string {
  return fix`set it aside: ${command`repair ${dir.id} --apply`}`.text;
}

/** The line as an object, or what is wrong with it. */
function eventIn(inspection: Inspection, line: string, seq: number): string | Record<string, Json> {
  const bytes = Buffer.from(line);
  if (bytes.length > maxLineBytes) return `the line has ${bytes.length} bytes; ${maxLineBytes} are allowed`;
  if (isSealed(bytes, 0, bytes.length) && decodeLine(bytes, 0, bytes.length) === undefined)
    return 'the line does not match its checksum: it was changed';
  if (line.trim() === '') return 'the line is empty';
  const parsed = parseJson(line);
  if (!('value' in parsed)) return `the line cannot be read: ${parsed.message}`;
  const checked = check(eventSchema, parsed.value);
  if (!('value' in checked)) {
    const [mistake] = checked.mistakes;
    return `${jsonPath(mistake?.path ?? [])}: ${mistake?.problem}`;
  }
  const { taskId } = checked.value;
  if (taskId !== inspection.dir.id) return `it is about another task, ${quoted(taskId)}`;
  const value = parsed.value as Record<string, Json>;
  return log.decode(value, seq) === undefined ? 'docket cannot read this line' : value;
}
