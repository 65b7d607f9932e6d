import type { NextStep } from '../../render/explain/types.ts';
import { tellingLine } from '../../render/telling.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { Caps } from '../../task/caps.ts';
import type { KindName } from '../../task/kind-names.ts';
import type { NamedNeed } from '../../task/needs.ts';
import { needsWorkTree, rank } from '../../task/pick.ts';
import type { BlockReason, Lease, Task } from '../../task/schema.ts';
import type { Used } from '../../task/used-schema.ts';
import { needsOf } from '../notify/wants.ts';
import { nextOf, nextSteps } from '../tasks/next.ts';

/**
 * What the view shows of a task, and nothing that time or the death of a process changes: that is looked at whenever
 * somebody asks (`compose.ts`).
 */
export interface Row {
  id: string;
  name: string;
  title: string;
  status: Task['status'];
  since: string;
  owner?: string;
  startedAt?: string;
  lease?: Lease;
  /** What is next in the queue has a lower one. */
  turn?: number;
  /** It works in the people's own tree. */
  inTree?: true;
  needs?: RowNeed[];
  /** It is blocked, and goes on by itself, or when a cap has room again. */
  reason?: BlockReason;
  /** What it may use itself, where such a cap holds it. */
  budget?: Caps;
  unmet?: readonly NamedNeed[];
  /** Why no run takes it up while it is queued. */
  idle?: { kind: string; text: string };
  /** Attempts that nobody has seen the end of. */
  steps?: { step: string; agent: string; n: number; since: string }[];
  used?: Used;
  next?: NextStep;
  /** It is done by the word of a file or another tool only. */
  unproved?: true;
}

interface RowNeed {
  key: string;
  kind: string;
  text: string;
  since: string;
  next?: NextStep;
}

const longestTitle = 200;

/** `name`: what people call it in this format's commands. */
export function rowOf(kind: KindName, name: string, task: Task, waits: readonly NamedNeed[]): Row {
  const steps = nextSteps({ kind, name, task, waits });
  const row: Row = {
    id: task.id,
    name,
    title: short(task.title),
    status: task.status,
    since: sinceOf(task),
    ...withDefined({ owner: task.owner, used: task.used, next: steps.find(isAct) ?? steps[0] }),
  };
  if (task.status === 'done' && task.unproved) row.unproved = true;
  const needs = needsIn(task, steps);
  if (isOver(task)) return needs.length > 0 ? { ...row, needs } : row;
  const open = openAttempts(task).map(({ step, agent, n, startedAt }) => ({
    step,
    agent,
    n,
    since: startedAt,
  }));
  if ('startedAt' in task && task.startedAt !== undefined) row.startedAt = task.startedAt;
  if ('lease' in task && task.lease) row.lease = task.lease;
  if (task.status === 'queued') row.turn = rank(task);
  if (needsWorkTree(task)) row.inTree = true;
  if (needs.length > 0) row.needs = needs;
  if (task.status === 'blocked' && needs.every(({ kind }) => kind === 'budget'))
    row.reason = { ...task.reason, text: short(tellingLine(task.reason.text)) };
  if (row.reason?.cap && task.spec.budget) row.budget = task.spec.budget;
  if (waits.length > 0) row.unmet = waits;
  const idle = task.status === 'queued' ? nextOf(kind).idle(task, name) : undefined;
  if (idle) row.idle = { kind: idle.kind, text: idle.short };
  if (open.length > 0) row.steps = open;
  return row;
}

function isOver({ status }: Task): boolean {
  return status === 'done' || status === 'canceled';
}

function needsIn(task: Task, steps: readonly NextStep[]): RowNeed[] {
  return needsOf(task, -Infinity).map(({ key, kind, text, gate }) => {
    const next = steps.find((step) => (gate ? step.words[3] === gate.id : isAct(step))) ?? steps[0];
    return { key, kind, text, since: gate?.since ?? task.updatedAt, ...(next && { next }) };
  });
}

const looks: ReadonlySet<string> = new Set(['diff', 'logs', 'show', 'explain', 'agents', 'status']);

/** It does something about it, and is not only a look. */
function isAct({ words: [first = '', second = ''] }: NextStep): boolean {
  if (first === 'budget' || first === 'limits') return second !== '';
  return !looks.has(first) && !looks.has(second);
}

/** When it became as it is. */
export function sinceOf(task: Task): string {
  switch (task.status) {
    case 'queued':
      return openAttempts(task)[0]?.startedAt ?? task.queuedAt;
    case 'running':
      return task.startedAt;
    case 'done':
    case 'canceled':
    case 'failed':
      return task.finishedAt;
    default:
      return task.updatedAt;
  }
}

function short(text: string): string {
  return text.length <= longestTitle ? text : `${text.slice(0, longestTitle)}…`;
}

function withDefined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
