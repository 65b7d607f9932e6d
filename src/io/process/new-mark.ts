import { randomBytes } from 'node:crypto';

/** Short, because it is part of a folder's name in which agents make sockets; unique; safe as a file name. */
export function newMark(): string {
  return randomBytes(8).readBigUInt64BE().toString(36).padStart(13, '0');
}
