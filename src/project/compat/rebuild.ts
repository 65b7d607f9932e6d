import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../errors.ts';
import { makeDir, readBytes, replaceFile } from '../../io/files.ts';
import { log } from '../../kinds/board/format/log.ts';
import { boardTask } from '../../kinds/board/format/task.ts';
import { asciiJson } from '../../schema/json.ts';
import { logCodec } from '../../store/codec.ts';
import { Ledger } from '../../store/ledger.ts';
import { given, whereOf, type Call, type Printed } from './call.ts';

type Data = Record<string, unknown>;

interface Line {
  /** As it stands in the log: its checksum is about these bytes. */
  text: string;
  data: Data;
}

/** `rebuild-snapshot`: from any log to a file beside the snapshot. The board itself stays as it is. */
export function rebuildSnapshot(call: Call): Printed {
  const { root } = whereOf(call);
  const named = (flag: string, otherwise: string) =>
    given(call, flag) || path.join(given(call, 'root'), otherwise);
  const input = named('input', 'state/tasks.jsonl');
  const output = named('output', 'state/tasks.snapshot.rebuilt.json');
  const compactJsonl = given(call, 'compact-jsonl');
  const mode = given(call, 'run') === 'apply' ? 'apply' : 'dry-run';
  const bytes = readBytes(path.resolve(call.cwd, input));
  if (bytes === undefined) return { json: { ok: false, error: 'missing input jsonl', input }, code: 1 };
  const { tasks, lines, errors, lastAt } = replay(bytes);
  const compacted = withoutRepeats(lines);
  const now = `${new Date(call.clock.now()).toISOString().slice(0, 19)}Z`;
  if (mode === 'apply') {
    const rebuild = { events: lines.length, generatedAt: now, errors: errors.length };
    const whole = { tasks, meta: { version: 2, updatedAt: lastAt ?? now, rebuild } };
    const write = (file: string, text: string) => errors.push(...written(path.resolve(call.cwd, file), text));
    write(output, `${asciiJson(JSON.stringify(whole, undefined, 2))}\n`);
    if (compactJsonl !== '') write(compactJsonl, compacted.map(({ text }) => `${text}\n`).join(''));
  }
  const json = {
    ok: errors.length === 0,
    mode,
    input,
    output,
    events: lines.length,
    compactedEvents: compacted.length,
    errors,
    diff: difference(liveTasks(path.join(root, 'state/tasks.snapshot.json')), tasks),
    ...(compactJsonl !== '' && { compactJsonl }),
  };
  return { json, code: json.ok ? 0 : 1 };
}

const codec = logCodec(log);

/** Every line that can be read; the others are errors with their number. */
function replay(bytes: Buffer) {
  const ledger = new Ledger(log);
  const lines: Line[] = [];
  const errors: string[] = [];
  let seq = codec.baseOf(bytes.subarray(0, Math.max(0, bytes.indexOf(10))));
  ledger.seq = seq;
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    const event = end === start ? undefined : codec.decode(bytes, start, end, seq + 1);
    try {
      if (event) {
        ledger.apply(event);
        const text = bytes.toString('utf8', start, end);
        lines.push({ text, data: JSON.parse(text) as Data });
        seq += 1;
      } else if (end > start) errors.push(`line ${line}: invalid json`);
    } catch (error) {
      errors.push(`line ${line}: ${messageOf(error)}`);
    }
    start = end + 1;
  }
  const tasks = Object.fromEntries(ledger.list().map((task) => [task.id, boardTask(task)]));
  const lastAt = lines.at(-1)?.data['at'];
  return { tasks, lines, errors, lastAt: typeof lastAt === 'string' ? lastAt : undefined };
}

/** Of lines that say the same of a task, the last stays. What made a task always does, and what was written together. */
function withoutRepeats(lines: readonly Line[]): Line[] {
  const seen = new Set<string>();
  return lines
    .toReversed()
    .filter(({ data: { taskId, type, payload, docket } }) => {
      const key = JSON.stringify([taskId, type, payload]);
      const isRepeat =
        seen.has(key) && docket === undefined && !/^(?:diag_)?task_created$/.test(String(type));
      seen.add(key);
      return !isRepeat;
    })
    .toReversed();
}

function liveTasks(file: string): Data {
  try {
    const { tasks } = JSON.parse(readBytes(file)?.toString('utf8') ?? '{}') as { tasks?: unknown };
    return typeof tasks === 'object' && tasks !== null ? (tasks as Data) : {};
  } catch {
    return {}; // torn: every task of the log is one that it has not
  }
}

function difference(live: Data, rebuilt: Data) {
  const both = Object.keys(rebuilt).filter((id) => Object.hasOwn(live, id));
  return {
    liveTaskCount: Object.keys(live).length,
    rebuiltTaskCount: Object.keys(rebuilt).length,
    addedTasks: Object.keys(rebuilt).length - both.length,
    removedTasks: Object.keys(live).length - both.length,
    changedTasks: both.filter((id) => !isDeepStrictEqual(live[id], rebuilt[id])).length,
  };
}

function written(file: string, text: string): string[] {
  try {
    makeDir(path.dirname(file));
    replaceFile(file, text, { sync: true });
    return [];
  } catch (error) {
    return [`write failed: ${messageOf(error)}`];
  }
}
