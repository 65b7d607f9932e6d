import type { TaskDirectory } from '../../../kinds/directory/api.ts';
import { alignedRows, type AlignedRow } from '../aligned.ts';
import { noteOf } from '../note.ts';
import { statusColors } from '../statuses.ts';
import type { Paint } from '../style.ts';
import { titleAndNote } from '../title-note.ts';
import { oneLine, recordsOf, stateOf } from './fields.ts';
import { waitingGates } from './gates.ts';
import { stepViews } from './steps.ts';

/** One row per task directory: id, state, agents that are finished of all, title, and what it waits for. */
export function directoryRows(
  directories: readonly TaskDirectory[],
  { columns, heading, paint }: { columns: number; heading: boolean; paint: Paint },
): string {
  const rows: AlignedRow[] = directories.map((directory) => ({
    cells: [
      directory.id,
      { text: stateOf(directory), color: statusColors[directory.task.status] },
      agentsOf(directory),
    ],
    last: (rest) => titleAndNote(directory.task.title, waitOf(directory), rest, paint),
  }));
  const cells = ['ID', 'STATE', 'AGENTS'].map((text) => ({ text, color: 'dim' as const }));
  if (heading) rows.unshift({ cells, last: () => paint('dim', 'TITLE') });
  return alignedRows(rows, columns, paint).join('\n');
}

/** What another tool has put on the list counts too. */
function agentsOf({ task, file }: TaskDirectory): string {
  const steps = stepViews(task).map(({ state }) => state === 'done');
  const listed = recordsOf(file['roster']).map(({ state }) => state === 'completed');
  const all = steps.length > 0 ? steps : listed;
  return all.length === 0 ? '-' : `${all.filter(Boolean).length}/${all.length}`;
}

/** What it waits for, or why it is blocked, in one line. */
export function waitOf(directory: TaskDirectory): string {
  return oneLine(reasonFor(directory));
}

function reasonFor(directory: TaskDirectory): string {
  const { task } = directory;
  const [gate, ...others] = waitingGates(directory.task);
  if (gate !== undefined) {
    const more = others.length === 0 ? '' : ` (+${others.length} more)`;
    return `${gate.gate}: ${gate.reason}${more}`;
  }
  const isBegun = Object.keys(task.run?.states ?? {}).length > 0;
  if (task.status === 'queued' && isBegun && task.owner === undefined)
    return `nothing is running; continue: docket task resume ${directory.id}`;
  if (task.status !== 'running') return noteOf(task, {}, new Map());
  return `${stepViews(task).filter(({ state }) => state === 'running').length} running`;
}
