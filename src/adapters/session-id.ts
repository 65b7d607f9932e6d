import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { createFile, readBytes } from '../io/files.ts';
import type { AgentEvent } from './adapter.ts';

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id comes from a file or a person and goes into paths and command lines: it is checked where it is used. */
export function checkedId(id: string, shape: RegExp, vendor: string): string {
  if (shape.test(id)) return id;
  throw new DocketError(
    'INVALID',
    `${JSON.stringify(id)} is not the id of a session of ${vendor}`,
    'take the id from the attempt that began the session, or begin a new one',
    { vendor, id },
  );
}

/** An id of our own choice that is the same when the attempt is taken up again. */
export function ownId(dir: string): string {
  const file = path.join(dir, 'session-id');
  createFile(file, randomUUID());
  return checkedId(readBytes(file)?.toString('utf8') ?? '', uuid, 'new');
}

/** The id goes into command lines later: one that is not of the vendor's own form is not taken over. */
export function sessionEvent(id: unknown, vendor: string): AgentEvent {
  return typeof id === 'string' && uuid.test(id)
    ? { type: 'session', id }
    : {
        type: 'warning',
        text: `${vendor} named its session in a form that is not its own; it cannot be resumed`,
      };
}
