import { inline } from '../../../render/markdown.ts';
import { clip } from '../../../report/clip.ts';
import type { Task } from '../../../task/schema.ts';
import { failureOf } from './failure.ts';
import { packetName } from './name.ts';
import { nextAction } from './next-action.ts';
import { doneByOther } from './other-work.ts';
import { callsOf, objectOf, ownOf } from './own.ts';
import { stagesOf, type StageView } from './stage-view.ts';
import { failureLines } from './summary-failure.ts';
import { seconds } from './time.ts';

const mostLines = 80;
const widest = 200;

/**
 * `outputs/_summary.md`: all that a supervising agent reads, so it is short whatever happens. What went wrong and what
 * to do comes first. Nobody else's words begin a line, so none of them can pass for a heading or for a next action.
 */
export function summary(task: Task): string {
  const stages = stagesOf(task);
  const head = [
    '# Task Summary',
    `Task: ${packetName(task)}`,
    `Updated: ${seconds(task.updatedAt)}`,
    statusLine(task, stages),
    '',
  ];
  const tail = [
    `next_action: ${nextAction(task)}`,
    '',
    ...(stages.length > 0 ? ['## Stages', ...stageLines(stages), ''] : []),
    '## Budgets',
    `- paid_calls_used: ${callsOf(task)} / ${budgetOf(task)}`,
  ];
  const failure = failureOf(task);
  const middle = failure ? failureLines(failure, mostLines - head.length - tail.length) : [];
  return `${[...head, ...middle, ...tail].map((line) => clip(line, widest)).join('\n')}\n`;
}

function statusLine(task: Task, stages: readonly StageView[]): string {
  const done = stages.filter(({ word }) => word === 'done').length;
  const at = stages.find(({ word }) => word !== 'done')?.stage;
  const count = stages.length > 0 ? `, ${done} of ${stages.length} stages done` : '';
  const where = at === undefined || task.status === 'done' ? '' : ` at ${at}`;
  return `**Status: ${wordOf(task)}**${where}${count}${because(task)}`;
}

function wordOf(task: Task): string {
  if (task.status === 'queued') return task.run ? 'stopped' : 'not started';
  return task.status === 'review' ? 'running' : task.status;
}

function because(task: Task): string {
  if (task.status === 'blocked') return `; ${inline(task.reason.who, 60)} must act (${task.reason.kind})`;
  return task.status === 'canceled' ? `; ${inline(task.canceledBecause, 100)}` : '';
}

/** People's own number: nought is a budget, too. */
function budgetOf(task: Task): number | string {
  const budget = objectOf(ownOf(task).manifest['budgets'])['paid_call_budget'];
  return typeof budget === 'number' ? budget : 'no limit';
}

/** With more of them than this, each has one line. */
const fewStages = 8;
const mostStages = 30;

/** The stages in their order; of very many, those around the first that is not done. */
function stageLines(stages: readonly StageView[]): string[] {
  if (stages.length <= fewStages) return stages.flatMap(twoLines);
  const open = stages.findIndex(({ word }) => word !== 'done');
  const middle = open === -1 ? stages.length : open;
  const from = Math.max(0, Math.min(middle - mostStages / 2, stages.length - mostStages));
  const shown = stages.slice(from, from + mostStages);
  const behind = stages.length - from - shown.length;
  return [...omitted(from), ...shown.map(oneLine), ...omitted(behind)];
}

function twoLines(view: StageView): string[] {
  const told = details(view);
  return [`### ${title(view)}`, ...(told.length > 0 ? [`- ${told.join(' | ')}`] : [])];
}

function oneLine(view: StageView): string {
  return `- ${[title(view), ...details(view)].join(' | ')}`;
}

function title({ stage, tool, role, word }: StageView): string {
  return `${stage} (${tool}/${role}) — ${word}`;
}

function details({ facts, tool }: StageView): string[] {
  if (!facts) return [];
  if (facts.other !== undefined) return [doneByOther];
  const stoodIn = facts.tool === tool ? [] : [`done by: ${facts.tool}, standing in for ${tool}`];
  const { exit_code, duration_sec, out } = facts;
  const output = out.lines > 0 ? [`output: ${out.lines} lines`] : [];
  return [...stoodIn, `exit_code: ${exit_code}`, `duration: ${Math.round(duration_sec)}s`, ...output];
}

function omitted(count: number): string[] {
  return count > 0 ? [`... [${count} stages omitted] ...`] : [];
}
