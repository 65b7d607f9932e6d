import type { SpawnStep, WorkerSeen } from '../../kinds/board/steps.ts';
import { clip } from '../../report/clip.ts';
import type { Report } from '../../report/schema.ts';

const longest = { summary: 260, detail: 220, line: 180, path: 140 };
const most = { lines: 6, changes: 8 };

/** What the original says of a worker, under `spawn`. */
export function spawnAnswer({ taskId, agent, decision, detail, worker }: SpawnStep): Record<string, unknown> {
  const about = { ok: decision === 'done', decision, detail };
  if (!worker) return about;
  const { reasonCode, command, stdout, stderr, result, retried } = worker;
  return {
    ...about,
    reasonCode,
    command,
    stdout,
    stderr,
    spawnResult: result ?? {},
    normalizedReport: {
      ...reportAnswer({ taskId, agent, decision, detail, worker }),
      acceptanceText: acceptanceText(worker.report),
      detail: clip(detail, longest.detail),
      structured: worker.structured,
    },
    ...(retried && { retried }),
  };
}

/** A worker's report by the fields that the original asks for. */
function reportAnswer({ taskId, agent, decision, detail, worker }: SpawnStep): Record<string, unknown> {
  const about = { taskId, agent, status: decision };
  if (!worker) return { ...about, summary: detail };
  const { summary, changes, evidence, risks, nextActions } = worker.report;
  return {
    ...about,
    summary: clip(summary || detail, longest.summary),
    changes: changes.slice(0, most.changes).map(changeOf),
    evidence: lines(evidence.map(proofOf)),
    risks: lines(risks),
    nextActions: lines(nextActions),
  };
}

/** `path: summary`, as a report has it. */
function changeOf(line: string): { path: string; summary: string } {
  const [, path = '', summary = line] = /^(\S+): ([\s\S]*)$/.exec(line) ?? [];
  return { path: clip(path, longest.path), summary: clip(summary, longest.line) };
}

function lines(all: readonly string[]): string[] {
  return all.slice(0, most.lines).map((line) => clip(line, longest.line));
}

/** The words that the gate judged. */
function acceptanceText({ summary, changes, evidence }: Report): string {
  return [summary, ...changes, ...evidence.map(proofOf)].filter((part) => part !== '').join('; ');
}

export function proofOf({ ref, note }: WorkerSeen['report']['evidence'][number]): string {
  return note === undefined ? ref : `${ref} (${note})`;
}
