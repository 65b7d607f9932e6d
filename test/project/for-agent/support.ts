import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { openDocket, type Docket } from '../../../src/project/docket.ts';
import { scratch } from '../../support/scratch.ts';

/** A project with a board, and who works there. */
export interface Project {
  root: string;
  docket: Docket;
  /** What a person or a team member says on the command line. */
  say: (text: string, actor?: string) => Promise<string>;
}

export const signal = new AbortController().signal;

export async function project({ board = true, env = {} } = {}): Promise<Project> {
  const root = scratch();
  fs.mkdirSync(path.join(root, '.git'));
  const docket = await openDocket({
    cwd: root,
    root,
    env: { PATH: process.env['PATH'], HOME: root, ...env },
  });
  onTestFinished(() => docket.close());
  if (board) await (await docket.boardTools()).init({ settings: false, dryRun: false });
  const say = async (text: string, actor = 'ann') =>
    (await (await docket.board()).say({ text, sender: { actor, isBot: false }, locale: 'en', signal })).reply;
  return { root, docket, say };
}

/** What docket runs itself when somebody of this role says that work is done. */
export function checks(root: string, role: string, ...commands: string[]): void {
  fs.mkdirSync(path.join(root, 'config'), { recursive: true });
  const policy = { global: {}, roles: { [role]: { verifyCommands: commands } } };
  fs.writeFileSync(path.join(root, 'config', 'acceptance-policy.json'), JSON.stringify(policy));
}
