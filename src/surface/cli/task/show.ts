import type { TaskDirectory } from '../../../kinds/directory/api.ts';
import { age } from '../age.ts';
import { alignedRows, type AlignedRow } from '../aligned.ts';
import type { Context } from '../context.ts';
import { countsOf } from '../counts.ts';
import { statusColors } from '../statuses.ts';
import { columnsOf } from '../style.ts';
import { visible } from '../visible.ts';
import { joinedFile, oneLine, recordsOf, stateOf, wordOf } from './fields.ts';
import { gateLines, waitingGates } from './gates.ts';
import { waitOf } from './rows.ts';
import { stepColors, stepViews } from './steps.ts';

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
