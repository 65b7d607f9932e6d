import { command } from '../../../errors/command.ts';
import { inline } from '../../../render/markdown.ts';
import { clip } from '../../../report/clip.ts';
import { objectOf } from '../../../task/json.ts';
import type { Task } from '../../../task/schema.ts';
import { seconds, type StageFacts } from './facts.ts';
import { failureOf, type PacketFailure } from './failure.ts';
import { packetName } from './name.ts';
import { doneByOther } from './other-work.ts';
import { callsOf, ownOf } from './own.ts';
import { makerOfRefused, stagesOf, type StageView } from './stage-view.ts';
import { firstFor } from './triage.ts';

/** The command that comes next, whole; and behind it what a person has to do before. */
function nextAction(task: Task): string {
  const docket = (verb: string) => String(command`packet ${verb} ${packetName(task)}`);
  switch (task.status) {
    case 'done':
      return task.archivedAt === undefined ? `none, it is done (${docket('archive')} puts it away)` : 'none';
    case 'canceled':
      return 'none, it was canceled';
    case 'running':
    case 'review':
      return `${docket('status')} (it is at work)`;
    case 'queued':
      return docket(task.run ? 'resume' : 'run');
    case 'blocked':
    case 'failed': {
      const failure = failureOf(task);
      const first = failure && firstFor(failure.class, failure.facts?.tool ?? 'the agent');
      const maker = makerOfRefused(stagesOf(task));
      const again =
        maker === undefined ? '' : `, or ${docket('run')} --from ${maker} (the agent tries again)`;
      return docket('resume') + (until(task) ?? (first === undefined ? '' : ` (first: ${first})`)) + again;
    }
  }
}

function until(task: Task): string | undefined {
  return task.status === 'blocked' && task.reason.resumesAt !== undefined
    ? ` (not before ${task.reason.resumesAt})`
    : undefined;
}

const mostReasons = 8;
const mostPaths = 5;
/** Of stderr, from each end. */
const eachEnd = 20;
/** The words above stderr and the blank lines around it. */
const frame = 3;

/** What went wrong, in at most `room` lines. Of stderr there is as much as fits. */
function failureLines(failure: PacketFailure, room: number): string[] {
  const { class: kind, signature, exit_code, gate_result, stage, facts, reason } = failure;
  const gateReasons = facts?.gate.reasons ?? [];
  const lines = [
    '## Failure',
    `- class: ${kind} | signature: ${signature} | exit_code: ${exit_code} | gate: ${gateWord(gate_result)}`,
    ...(stage === undefined ? [] : [`- stage: ${stage}`]),
    ...(reason === undefined || gateReasons.length > 0 ? [] : [`- reason: ${inline(reason, 180)}`]),
    ...listed('gate reason', gateReasons, mostReasons, `outputs/${stage}.gate_result.json`),
    ...(facts?.commands ? [`- what the commands printed is in ${inline(facts.commands.file, 150)}`] : []),
    ...listed('undone', facts?.undone?.paths ?? [], mostPaths, facts?.undone?.patch ?? ''),
    ...(facts?.undone ? [`- undone changes are kept in ${inline(facts.undone.patch, 150)}`] : []),
    ...failure.suggested_actions.slice(0, 3).map((action) => `- suggested: ${inline(action, 180)}`),
  ];
  return [...lines, ...printedLines(facts, room - lines.length - 1), ''];
}

/** A call that failed never came to its gate, so the gate let nothing pass. */
function gateWord(result: PacketFailure['gate_result']): string {
  return result === 'pass' ? 'not reached' : result;
}

function listed(name: string, entries: readonly string[], most: number, where: string): string[] {
  const shown = entries.slice(0, most).map((entry) => `- ${name}: ${inline(entry, 180)}`);
  const more = entries.length - shown.length;
  return more > 0 ? [...shown, `- ${name}: ... [${more} more, see ${inline(where, 100)}] ...`] : shown;
}

/**
 * The command that failed has the word before the agent, who only reports on it. Indented, so that whatever stands there
 * is neither Markdown nor the beginning of a line.
 */
function printedLines(facts: StageFacts | undefined, room: number): string[] {
  const told = facts?.commands ? { head: [], ...facts.commands } : facts?.err;
  if (!told || told.lines === 0 || room <= frame) return [];
  const shown = ends(told, Math.min(room - frame, 2 * eachEnd + 1));
  const title = facts?.commands ? 'output of the command that failed' : 'stderr';
  return [
    '',
    `${title}, ${told.lines} line${told.lines === 1 ? '' : 's'}:`,
    '',
    ...shown.map((line) => `    ${plain(line)}`),
  ];
}

/** Head and tail in so many lines. The end says more than the beginning. */
function ends({ head, tail, lines }: StageFacts['err'], room: number): string[] {
  const first = head.slice(0, eachEnd);
  const overlap = Math.max(0, Math.min(tail.length, first.length + tail.length - lines));
  const last = tail.slice(overlap).slice(-eachEnd);
  const all = [...first, ...last];
  if (lines <= all.length && all.length <= room) return all;
  const fromTail = Math.min(last.length, Math.max(Math.ceil(((room - 1) * 2) / 3), room - 1 - first.length));
  const fromHead = Math.min(first.length, room - 1 - fromTail);
  const omitted = lines - fromHead - fromTail;
  return [
    ...first.slice(0, fromHead),
    `... [${omitted} lines omitted] ...`,
    ...last.slice(last.length - fromTail),
  ];
}

function plain(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}]/gu, ' ').trimEnd();
}

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
