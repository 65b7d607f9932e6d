import { command, fix } from '../../../errors/command.ts';
import { askedAt } from '../../../render/asked.ts';
import { type Markers, withManaged } from '../../../render/managed.ts';
import { cell, inline } from '../../../render/markdown.ts';
import { isProofQuestion, needsNote } from '../../../task/proof-question.ts';
import type { Gate, Run } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import { phaseOf } from '../../../workflow/phase.ts';
import { hasResult } from './result.ts';
import type { Own } from './task-file.ts';
import { countWords, isInterrupted, stateWord, statusWord } from './words.ts';

/** The shared files that people look for, from the task's folder. */
const pointers = {
  stateBoard: './shared/state-board.md',
  joinedSummaryMd: './shared/reports/joined-summary.md',
  joinedSummaryJson: './shared/reports/joined-summary.json',
  evidenceIndex: './shared/evidence/index.json',
  humanNotes: './shared/human-notes.md',
  contextManifest: './shared/context-manifest.yaml',
} as const;

const longest = 500;

/** What waits for a person, in Markdown: every question with its answers, or why the task is blocked without one. */
function needLines(task: Task): string[] {
  const waiting = Object.entries(task.run?.gates ?? {}).filter(([, { state }]) => state === 'blocked');
  const lines = waiting.flatMap(([id, gate]) => questionLines(task, id, gate));
  if (isInterrupted(task) && waiting.length === 0)
    lines.push(fix`- Nothing is running now. Continue: \`${command`task resume ${task.id}`}\``.text);
  if (waiting.length > 0 || task.status !== 'blocked' || task.reason.who === 'docket') return lines;
  return [
    `- ${inline(task.reason.text, longest)}`,
    fix`  - continue: \`${command`task resume ${task.id}`}\``.text,
  ];
}

function questionLines({ id, run }: Task, name: string, gate: Gate): string[] {
  const asked = askedAt(run, gate).questions ?? [];
  return [
    `- \`${name}\`: ${inline(gate.reason, longest)}`,
    ...(asked.length > 1 ? asked.map((question, at) => `  ${at + 1}. ${inline(question, longest)}`) : []),
    ...answers(id, name, gate).map((answer) => `  - ${answer}`),
  ];
}

function answers(task: string, name: string, gate: Gate): string[] {
  const choices = (gate.options ?? []).filter(({ kind }) => kind !== 'deny');
  const approve = choices.map(({ id, text }) => {
    const words = needsNote(gate, id)
      ? command`gate approve ${task} ${name} --choice=${id} --note "…"`
      : command`gate approve ${task} ${name} --choice=${id}`;
    return fix`\`${words}\`: ${inline(text, 200)}`.text;
  });
  return [
    ...(approve.length > 0 ? approve : [fix`\`${command`gate approve ${task} ${name} --note "…"`}\``.text]),
    fix`\`${command`gate reject ${task} ${name} --note "…"`}\``.text,
    ...byNotes(task, gate),
  ];
}

/** An agent that waits in the middle of its turn needs a choice: notes do not answer it. */
function byNotes(task: string, gate: Gate): string[] {
  const isProof = isProofQuestion(gate);
  if (gate.options && !(isProof && gate.steps?.length)) return [];
  const what = isProof ? 'to send it back' : 'or';
  return [
    fix`${what}: write into [${pointers.humanNotes.slice(2)}](${pointers.humanNotes}), then \`${command`task resume ${task}`}\``
      .text,
  ];
}

const readmeMarkers: Markers = { names: ['AGENTMESH'], start: '{}:README:START', end: '{}:README:END' };

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
  return withManaged(current?.replace(original, '$1'), readmeMarkers, body.join('\n'));
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

/** The format was renamed once: a board keeps the boardMarkers that it has. */
const boardMarkers: Markers = {
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
    ...blockedLines(task),
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
  return withManaged(current, boardMarkers, body.join('\n'), notes);
}

/** Why it waits, as the README says it. */
function blockedLines(task: Task): string[] {
  const lines = needLines(task);
  if (task.status === 'blocked' && lines.length === 0) lines.push(`- ${inline(task.reason.text, 500)}`);
  return lines.length === 0
    ? []
    : ['', '## Blocked', '', ...lines.map((line) => line.replaceAll('](./shared/', '](./'))];
}
