/**
 * The lifecycle, as a table. An event moves a task along one edge; `decide` refuses everything else.
 *
 *            ┌──────────── requeued ─────────────┐
 *   created  ▼            started                │
 *   ──────▶ queued ──────────────▶ running ──────┤ submitted
 *            │ ▲                    │  ▲ returned ▼
 *    blocked │ │ requeued           │  └──────── review
 *            ▼ │        blocked     │              │
 *           blocked ◀───────────────┴──────────────┤ done
 *                                                  ▼
 *   failed (may start again), canceled and done (final: only `reopened` leads out)
 */
export const statuses = ['queued', 'running', 'review', 'blocked', 'done', 'failed', 'canceled'] as const;
export type Status = (typeof statuses)[number];

export const edges: Readonly<Record<Status, readonly Status[]>> = {
  queued: ['queued', 'running', 'blocked', 'failed', 'canceled'],
  running: ['review', 'done', 'blocked', 'failed', 'queued', 'canceled'],
  review: ['done', 'running', 'blocked', 'failed', 'canceled'],
  blocked: ['queued', 'running', 'failed', 'canceled'],
  failed: ['queued', 'running', 'canceled'],
  done: [],
  canceled: [],
};

interface Move {
  from: readonly Status[];
  to: Status;
}

/** The events that change a status. The other events (edited, renewed, archived, removed, restored) leave it alone. */
export const moves = {
  'task.claimed': { from: ['queued'], to: 'queued' },
  'task.released': { from: ['queued'], to: 'queued' },
  'task.started': { from: ['queued', 'blocked', 'failed'], to: 'running' },
  'task.submitted': { from: ['running'], to: 'review' },
  'task.returned': { from: ['review'], to: 'running' },
  'task.done': { from: ['running', 'review'], to: 'done' },
  'task.blocked': { from: ['queued', 'running', 'review'], to: 'blocked' },
  'task.requeued': { from: ['running', 'blocked', 'failed'], to: 'queued' },
  'task.failed': { from: ['queued', 'running', 'review', 'blocked'], to: 'failed' },
  'task.canceled': { from: ['queued', 'running', 'review', 'blocked', 'failed'], to: 'canceled' },
  'task.reopened': { from: ['done', 'canceled'], to: 'queued' },
} as const satisfies Record<string, Move>;

export type MoveType = keyof typeof moves;

/** A task in one of these is out of the scheduler's way; `failed` is not final, but it waits for somebody. */
export function isActive(status: Status): boolean {
  return status === 'queued' || status === 'running' || status === 'review' || status === 'blocked';
}

export function isFinal(status: Status): boolean {
  return edges[status].length === 0;
}
