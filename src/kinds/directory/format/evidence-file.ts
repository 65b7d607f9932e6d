import { parseJson } from '../../../schema/json.ts';
import type { Task } from '../../../task/schema.ts';
import { evidenceByStep, evidenceIds } from './evidence.ts';
import { json } from './session-file.ts';

const empty = '[]\n';

/**
 * `shared/evidence/index.json`. Our entries are made anew at each join; those of others stay, in their order. A text
 * that is no list is left exactly as it is: somebody is at work on it.
 */
export function evidenceFile(task: Task, current: string | undefined): string {
  const text = current === undefined || current.trim() === '' ? empty : current;
  const entries = entriesIn(text);
  if (!entries || task.run?.joinedAt === undefined) return text;
  const ours = new Set(evidenceIds(task.run.steps).values());
  const others = entries.filter((entry) => !isOurs(entry, ours));
  const next = [...others, ...[...evidenceByStep(task).values()].flat()];
  return JSON.stringify(next) === JSON.stringify(entries) ? text : json(next);
}

function entriesIn(text: string): unknown[] | undefined {
  const parsed = parseJson(text.replace(/^\uFEFF/, ''));
  return 'value' in parsed && Array.isArray(parsed.value) ? parsed.value : undefined;
}

function isOurs(entry: unknown, ours: ReadonlySet<string>): boolean {
  const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined;
  if (typeof id !== 'string') return false;
  return ours.has(id) || ours.has(id.replace(/-evidence-\d+$/, ''));
}
