import { DocketError } from '../../../errors.ts';
import type { Entry, Sheet } from '../../../layout/layout.ts';
import type { Fields, Json } from '../../../task/json.ts';
import type { Task } from '../../../task/schema.ts';
import type { StatusWord } from './fields.ts';
import { render } from './join.ts';
import { nthOf, refOf } from './names.ts';
import { stateProblems } from './rules.ts';

/** A record of tasks.yaml: what every version has, and whatever else stands there. */
export interface TaskRecord {
  name: string;
  status: StatusWord;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  [key: string]: Json;
}

interface Known {
  ref: string;
  task: Task;
  record: TaskRecord;
}

/** What a program did to the records, as two files: before and after. `running`: a task at work that it took out. */
export function changesTo(
  before: readonly Known[],
  mutator: (current: { tasks: TaskRecord[] }) => { tasks: TaskRecord[] } | void,
): { base: Sheet; file: Sheet; running: string | undefined } {
  const given = structuredClone(before.map(({ record }) => record));
  const current = { tasks: given };
  const result = ((mutator(current) ?? current) as { tasks?: unknown } | undefined)?.tasks;
  if (!Array.isArray(result)) throw invalid('the mutator did not return { tasks: [...] }');
  // As JSON: what a file cannot hold is not there.
  const after = (JSON.parse(JSON.stringify(result)) as unknown[]).map(asRecord);
  for (const record of after) assertState(record);
  const refs = refsOf(before, after);
  const lost = before.find(({ ref, task }) => isAtWork(task) && !refs.includes(ref));
  return {
    base: sheetOf(before.map(({ ref, record }) => [ref, record])),
    file: sheetOf(after.map((record, index) => [refs[index] as string, record])),
    running: lost?.record.name,
  };
}

function asRecord(value: unknown): Fields {
  const record = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  if (!record) throw invalid(`${JSON.stringify(value)} is no record`);
  return record as Fields;
}

/** A person who changes only the status is understood; a program says what it means. */
function assertState(record: Fields): void {
  const [problem] = stateProblems(record);
  if (problem)
    throw invalid(
      `${JSON.stringify(record['name'])}: ${problem.message}`,
      `Set "${problem.key}" to go with the status.`,
    );
}

/** A record is the one of its name and time; then the one of its name, which may not change its time; else it is new. */
function refsOf(before: readonly Known[], after: readonly Fields[]): string[] {
  const known = new Map<string, string[]>();
  const counts = new Map<string, number>();
  for (const { ref, record } of before) {
    const { name, created_at: at } = record;
    for (const key of [keyOf(name, at), keyOf(name)]) known.set(key, [...(known.get(key) ?? []), ref]);
    counts.set(name, Math.max(counts.get(name) ?? 0, nthOf(ref)));
  }
  const used = new Set<string>();
  const take = (key: string): string | undefined => {
    const ref = known.get(key)?.find((one) => !used.has(one));
    if (ref !== undefined) used.add(ref);
    return ref;
  };
  const exact = after.map(({ name, created_at: at }) => take(keyOf(name, at)));
  return after.map(({ name }, index) => {
    const ref = exact[index] ?? take(keyOf(name));
    if (ref !== undefined) return ref;
    const word = typeof name === 'string' ? name : '';
    const nth = (counts.get(word) ?? 0) + 1;
    counts.set(word, nth);
    return refOf(word, nth);
  });
}

function keyOf(...parts: readonly (Json | undefined)[]): string {
  return JSON.stringify(parts);
}

function sheetOf(records: readonly (readonly [string, Fields])[]): Sheet {
  const empty: Sheet = { head: '', entries: [], tail: '' };
  const entries = records.map(([ref, record]): Entry => ({ ref, text: render(record, empty), line: 1 }));
  return { head: 'tasks:\n', entries, tail: '' };
}

function invalid(message: string, fix = 'return { tasks: [...] }, at once'): DocketError {
  return new DocketError('INVALID', `nothing was changed: ${message}`, fix);
}

function isAtWork({ status }: Task): boolean {
  return status === 'running' || status === 'review';
}
