import path from 'node:path';
import { createFile, makeDir, readBytes } from '../../io/files.ts';
import { newMark } from '../../io/process/new-mark.ts';
import { makeTempFolder, removeTempFolder } from '../../io/process/temp-folder.ts';
import { deskAt } from '../../kinds/board/desk.ts';
import type { Project } from '../../settings/project.ts';

/** What of a board a command looks at. docket's own folder is made anew from the log. */
const copied = [
  'state/tasks.jsonl',
  'state/tasks.snapshot.json',
  'state/clarify.cooldown.json',
  'state/user-friendly.autopilot.json',
  'state/feishu-bot-openids.json',
  'config/feishu-bot-openids.json',
  'docs/protocol-config.json',
  '.docket/board/projects.json',
];

/**
 * A dry run: the command does everything, to a copy that is gone afterwards. The policy goes with it, but for its
 * commands: they judge a work tree, and there is none.
 */
export async function onCopy<T>(
  where: Project,
  fallback: string | undefined,
  use: (where: Project) => Promise<T>,
): Promise<T> {
  const { policy } = deskAt(where, fallback);
  const root = makeTempFolder(newMark());
  try {
    for (const name of copied) {
      const bytes = readBytes(path.join(where.root, name));
      if (bytes !== undefined) put(path.join(root, name), bytes);
    }
    const roles = Object.entries(policy.roles).map(([role, { verifyCommands: _, ...rest }]) => [role, rest]);
    const judged = { ...policy, roles: Object.fromEntries(roles) as object };
    put(path.join(root, 'config/acceptance-policy.json'), JSON.stringify(judged));
    return await use({ ...where, root });
  } finally {
    await removeTempFolder(root);
  }
}

function put(file: string, content: string | Uint8Array): void {
  makeDir(path.dirname(file));
  createFile(file, content);
}
