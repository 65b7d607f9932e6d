import { inline } from '../../../render/markdown.ts';
import type { StageFacts } from '../facts.ts';
import type { PacketFailure } from '../failure.ts';

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
    `- class: ${kind} | signature: ${signature} | exit_code: ${exit_code} | gate: ${gate_result}`,
    ...(stage === undefined ? [] : [`- stage: ${stage}`]),
    ...(reason === undefined || gateReasons.includes(reason) ? [] : [`- reason: ${inline(reason, 180)}`]),
    ...listed('gate reason', gateReasons, mostReasons, `outputs/${stage}.gate_result.json`),
    ...listed('undone', facts?.undone?.paths ?? [], mostPaths, facts?.undone?.patch ?? ''),
    ...(facts?.undone ? [`- undone changes are kept in ${inline(facts.undone.patch, 150)}`] : []),
    ...failure.suggested_actions.slice(0, 3).map((action) => `- suggested: ${inline(action, 180)}`),
  ];
  return [...lines, ...stderrLines(facts?.err, room - lines.length - 1), ''];
}

function listed(name: string, entries: readonly string[], most: number, where: string): string[] {
  const shown = entries.slice(0, most).map((entry) => `- ${name}: ${inline(entry, 180)}`);
  const more = entries.length - shown.length;
  return more > 0 ? [...shown, `- ${name}: ... [${more} more, see ${inline(where, 100)}] ...`] : shown;
}

/** Indented, so that whatever stands there is neither Markdown nor the beginning of a line. */
function stderrLines(err: StageFacts['err'] | undefined, room: number): string[] {
  if (!err || err.lines === 0 || room <= frame) return [];
  const shown = ends(err, Math.min(room - frame, 2 * eachEnd + 1));
  return ['', `stderr, ${err.lines} lines:`, '', ...shown.map((line) => `    ${plain(line)}`)];
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
