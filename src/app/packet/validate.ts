import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { readTextFile } from '../../io/text-file.ts';
import { readManifest } from '../../layout/packet/manifest.ts';
import type { Finding } from '../../store/backend.ts';
import type { Where } from '../one-store.ts';
import { assertNothingForbidden, readGiven } from './inputs.ts';
import type { PacketPlace } from './place.ts';
import { resolved } from './settings.ts';

const longest = 1024 * 1024;

/** All that would keep the packet from running, each with its place and the fix. Changes nothing. */
export function validatePacket(where: Where, { dir, id }: PacketPlace): Finding[] {
  const file = path.join(dir, 'manifest.yaml');
  const error = (at: string, message: string, fix: string): Finding => ({
    severity: 'error',
    path: at,
    message,
    fix,
  });
  const text = readTextFile(file, longest);
  if (text === undefined)
    return [error(file, 'there is no manifest.yaml', 'write one, or docket packet new')];
  const read = readManifest(text);
  if ('wrongs' in read) return read.wrongs.map((wrong) => ({ severity: 'error', path: file, ...wrong }));
  const { manifest } = read;
  const findings: Finding[] = [];
  if (manifest.task_id !== id)
    findings.push(error(file, `task_id is ${manifest.task_id}, the folder ${id}`, 'make them the same'));
  for (const check of [
    () => void resolved(manifest, where, undefined),
    () => assertNothingForbidden(readGiven(dir), manifest),
  ]) {
    try {
      check();
    } catch (problem) {
      if (!(problem instanceof DocketError)) throw problem;
      const { path: at } = problem.data;
      findings.push(error(typeof at === 'string' ? at : file, problem.message, problem.fix));
    }
  }
  return findings;
}
