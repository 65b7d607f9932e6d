import { inline } from '../../../render/markdown.ts';
import type { StageFacts } from './facts.ts';
import type { PacketFailure } from './failure.ts';

const mostReasons = 8;
const mostPaths = 5;
/** Of stderr, from each end. */
const eachEnd = 20;
/** The words above stderr and the blank lines around it. */
const frame = 3;

/** What went wrong, in at most `room` lines. Of stderr there is as much as fits. */
export function failureLines(failure: PacketFailure, room: number): string[] {
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
