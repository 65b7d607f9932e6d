import type { TaskDirectory } from '../../../kinds/directory/api.ts';
import { type AlignedRow, alignedRows, titleAndNote } from '../frame/aligned.ts';
import type { Context } from '../frame/context.ts';
import { age, countsOf } from '../frame/format.ts';
import { noteOf } from '../frame/rows.ts';
import { statusColors } from '../frame/statuses.ts';
import { columnsOf, type Paint } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';
import { joinedFile, oneLine, recordsOf, stateOf, stepColors, stepViews, wordOf } from './fields.ts';
import { gateLines, waitingGates } from './gates.ts';

/** One task directory as `key: value` lines; what there are many of stands indented below its count. */
export function showLines(directory: TaskDirectory, context: Context): string[] {
  const { id, dir, file, task } = directory;
  const { world, out } = context;
  const paint = out.paintData;
  const columns = columnsOf(world.stdout, world.env) - 2;
  const rows = (list: readonly AlignedRow[]) => alignedRows(list, columns, paint).map((row) => `  ${row}`);
  const steps = stepViews(task);
  const gates = waitingGates(directory.task);
  const milestones = recordsOf(file['milestones']);
  const when = (time: string) => `${time} (${age(time, world.now())} ago)`;
  const waits = gates.length > 0 ? '' : waitOf(directory);
  return [
    `id: ${visible(id)}`,
    `title: ${visible(task.title)}`,
    `state: ${paint(statusColors[task.status], visible(stateOf(directory)))}`,
    ...optional('why', waits),
    `topology: ${visible(wordOf(file['topology']))}`,
    ...optional('goal', task.run?.goal ?? wordOf(file['description'])),
    `created: ${when(task.createdAt)}`,
    `updated: ${when(wordOf(file['updatedAt']) || task.updatedAt)}`,
    `steps: ${countsOf(steps.map(({ state }) => state))}`,
    ...rows(
      steps.map(({ step, state, agent, said, title }) => ({
        cells: [step, { text: state, color: stepColors[state] ?? 'plain' }, agent],
        last: oneLine(said || title),
      })),
    ),
    `gates: ${countsOf(gateStates(directory))}`,
    ...gates.flatMap((gate) => gateLines(gate, context)).map((line) => `  ${line}`),
    `milestones: ${countsOf(milestones.map(({ state }) => visible(wordOf(state))))}`,
    ...rows(
      milestones.map((milestone) => ({
        cells: [wordOf(milestone['id']), wordOf(milestone['state'])],
        last: wordOf(milestone['title']),
      })),
    ),
    'files:',
    ...filesOf(directory).map((name) => `  ${visible(`${dir}/${name}`)}`),
  ];
}

function optional(key: string, text: string): string[] {
  return text === '' ? [] : [`${key}: ${visible(text)}`];
}

function gateStates({ task }: TaskDirectory): string[] {
  return Object.values(task.run?.gates ?? {}).map(({ state }) => state);
}

function filesOf(directory: TaskDirectory): string[] {
  const files = ['README.md', 'task.yaml', 'events.jsonl', 'shared/human-notes.md'];
  if (directory.task.run !== undefined) files.push('shared/state-board.md');
  const joined = joinedFile(directory);
  return joined === undefined ? files : [...files, joined.slice(directory.dir.length + 1)];
}

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
