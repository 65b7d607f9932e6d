import { withManaged, type Markers } from '../../../render/managed.ts';
import { inline } from '../../../render/markdown.ts';
import type { Run } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import { phaseOf } from '../../../workflow/phase.ts';
import { pointers } from './pointers.ts';
import { needLines } from './questions.ts';
import type { Own } from './task-file.ts';
import { statusWord } from './words.ts';

/** The format was renamed once: a board keeps the markers that it has. */
const markers: Markers = {
  names: ['AGENTMESH', 'COCO'],
  start: '{}:STATEBOARD:START',
  end: '{}:STATEBOARD:END',
};
const notes = '\n## Notes\n\n- Write here what you like: docket keeps everything outside the part above.\n';

/** `shared/state-board.md`: the goal, what is known to hold, and how each subtask stands. */
export function stateBoard(task: Task, run: Run, own: Own, current: string | undefined): string {
  const { joinedSummaryMd, joinedSummaryJson, evidenceIndex, humanNotes } = pointers;
  const artifacts = { joinedSummaryMd, joinedSummaryJson, evidenceIndex, humanNotes };
  const body = [
    '# StateBoard',
    '',
    `- task: \`${task.id}\``,
    `- title: ${inline(task.title, 200)}`,
    `- controllerState: \`${phaseOf(task)}\``,
    `- updatedAt: ${task.updatedAt}`,
    `- sessionGoal: ${inline(run.goal, 4000)}`,
    '',
    '## Constraints',
    '',
    `- topology: \`${own.topology}\``,
    `- maxConcurrentAgents: ${own.config.maxConcurrentAgents}`,
    ...needed(task),
    '',
    '## Subtasks',
    '',
    ...run.steps.map(({ id, role, agent, title }) => {
      const status = statusWord(task, id);
      const by = task.attempts?.[id]?.agent ?? agent; // who stands in is named, too
      return `- \`${id}\` agent=${inline(role, 100)} adapter=${inline(by, 100)} status=${status} title=${inline(title, 200)}`;
    }),
    '',
    '## Key Artifacts',
    '',
    ...Object.entries(artifacts).map(([name, path]) => `- ${name}: \`${path}\``),
  ];
  return withManaged(current, markers, body.join('\n'), notes);
}

/** Why it waits, as the README says it. */
function needed(task: Task): string[] {
  const lines = needLines(task);
  if (task.status === 'blocked' && lines.length === 0) lines.push(`- ${inline(task.reason.text, 500)}`);
  return lines.length === 0
    ? []
    : ['', '## Blocked', '', ...lines.map((line) => line.replaceAll('](./shared/', '](./'))];
}
