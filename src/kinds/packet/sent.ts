import path from 'node:path';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { writePlain } from '../../io/plain-file.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Inputs } from './format/stale.ts';
import type { PacketPlace } from './place.ts';

/** What a stage is told, and what that was made from. */
export interface Sent {
  prompt: string;
  sha256: string;
  inputs: Inputs;
}

const longest = 64 * 1024 * 1024;

/** Noted before it is sent: a docket that takes over after a crash must not say that it was something else. */
export function noteSent(root: string, { raw }: PacketPlace, stage: string, sent: Sent): void {
  const folder = makeOwnFolder(root, ...path.relative(root, raw).split(path.sep), 'sent');
  writePlain(path.join(folder, `${stage}.json`), JSON.stringify(sent));
}

export function readSent({ raw }: PacketPlace, stage: string): Sent | undefined {
  const text = readTextFile(path.join(raw, 'sent', `${stage}.json`), longest);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Sent);
  } catch {
    return undefined; // cut off by a power loss: what is composed now has to do
  }
}
