import type { Status } from '../../../task/status.ts';
import type { Color } from './style.ts';

/** The compiler says when a status is missing here; the keys are what `--status` takes. */
export const statusColors = {
  queued: 'plain',
  running: 'cyan',
  review: 'magenta',
  blocked: 'yellow',
  done: 'green',
  failed: 'red',
  canceled: 'dim',
} as const satisfies Record<Status, Color>;

export const statusNames = Object.keys(statusColors) as Status[];

/** What other tools call them: never taken, only suggested. */
export const statusSynonyms: Readonly<Record<string, Status>> = {
  pending: 'queued',
  created: 'queued',
  todo: 'queued',
  waiting: 'queued',
  claimed: 'queued',
  working: 'running',
  in_progress: 'running',
  'in-progress': 'running',
  'input-required': 'blocked',
  exceeded: 'blocked',
  completed: 'done',
  error: 'failed',
  cancelled: 'canceled',
};
