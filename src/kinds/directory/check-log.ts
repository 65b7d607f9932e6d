import { check } from '../../schema/check.ts';
import { parseJson } from '../../schema/json.ts';
import { jsonPath, quoted } from '../../schema/problem.ts';
import { logCodec } from '../../store/codec.ts';
import { decodeLine, isSealed, maxLineBytes } from '../../store/line.ts';
import { isStray } from '../../store/torn.ts';
import type { Json } from '../../task/json.ts';
import type { Inspection } from './format/check/inspection.ts';
import { eventSchema } from './format/event-schema.ts';
import { log } from './format/log.ts';

const restore = 'restore the file from a backup; docket never changes a line that is there';

/** Line by line. What docket wrote carries a checksum; what other tools wrote is taken at its word. */
export function checkLog(inspection: Inspection): void {
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
  return `set it aside: docket repair ${dir.id} --apply`;
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
