import { withManaged, type Markers } from '../../../render/managed.ts';
import { cell, inline } from '../../../render/markdown.ts';
import type { Task } from '../../../task/schema.ts';
import { pointers } from './pointers.ts';
import { needLines } from './questions.ts';
import { hasResult } from './result.ts';
import type { Own } from './task-file.ts';
import { countWords, stateWord, statusWord } from './words.ts';

const markers: Markers = { names: ['AGENTMESH'], start: '{}:README:START', end: '{}:README:END' };

/** `README.md`: where a person begins. It says first what is asked of them. */
export function readme(task: Task, { topology }: Own, current: string | undefined): string {
  const body = [
    `# ${inline(task.title, 200)}`,
    '',
    `- id: \`${task.id}\``,
    `- topology: \`${topology}\``,
    `- state: \`${stateWord(task)}\``,
    `- updatedAt: ${task.updatedAt}`,
    ...needed(task),
    ...steps(task),
    '',
    '## Files',
    '',
    ...files(task).map(([path, what]) => `- [${path.slice(2)}](${path}): ${what}`),
  ];
  return withManaged(current?.replace(original, '$1'), markers, body.join('\n'));
}

function needed(task: Task): string[] {
  const lines = needLines(task);
  return lines.length === 0 ? [] : ['', '## Needs a person now', '', ...lines];
}

/** What another tool wrote when it made the task: a second title and state, which nobody keeps up to date. */
const original =
  /(^\uFEFF?|<!-- AGENTMESH:README:END -->\s+)(?:# [^\r\n]*(?:\r?\n)+)?- id: `[^`\r\n]*`\r?\n- topology: `[^`\r\n]*`\r?\n- state: `[^`\r\n]*`(?:(?:\r?\n)+|$)/;

function steps(task: Task): string[] {
  const { run } = task;
  if (!run) return [];
  const rows = run.steps.map((step) => {
    const { id, role, title } = step;
    const status = statusWord(task, id);
    const result = hasResult(run, step) ? `[final.json](./agents/${id}/artifacts/final.json)` : '';
    return `| ${cell(id)} | ${cell(role, 100)} | ${status} | ${cell(title, 200)} | ${result} |`;
  });
  const counts = countWords(run.steps.map(({ id }) => statusWord(task, id)));
  const head = ['| instance | agent | status | title | result |', '|---|---|---|---|---|'];
  return ['', '## Steps', '', counts, '', ...head, ...rows];
}

/** Only those that are there: the board comes with the first order, reports with the first join. */
function files({ run }: Task): [path: string, what: string][] {
  return [
    ['./task.yaml', 'the task itself'],
    ['./events.jsonl', 'all that happened, one line each'],
    [pointers.humanNotes, 'write here what the agents should know'],
    [pointers.contextManifest, 'files that every agent is given'],
    [pointers.evidenceIndex, 'what proves the results'],
    ...(run ? [[pointers.stateBoard, 'how it stands'] as [string, string]] : []),
    ...(run?.joinedAt ? [[pointers.joinedSummaryMd, 'the results together'] as [string, string]] : []),
  ];
}
