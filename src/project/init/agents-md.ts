import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import type { Vendor } from '../../adapters/vendor.ts';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { createFile, fingerprint, readBytes, replaceFile } from '../../io/files.ts';
import { placeInside } from '../../io/inside.ts';
import { exists, realFolder } from '../../io/links.ts';
import { bestLockKind, lockWithin, openMutex } from '../../io/lock.ts';
import { agentsBody, withBlock } from './block.ts';

const agentsFile = 'AGENTS.md';
const waitMs = 10_000;

export interface AgentsMd {
  path: typeof agentsFile;
  state: 'made' | 'updated' | 'there';
  /** The whole text as it is then. */
  text: string;
}

/** What the file would become. A link that leads out of the root is refused, and so is what is no text. */
export function planAgentsMd(root: string, acceptance: readonly string[]): AgentsMd {
  const file = placeInside(root, agentsFile);
  const bytes = readBytes(file);
  if (bytes && !isUtf8(bytes))
    throw new DocketError(
      'BAD_FILE',
      `${file} is not valid UTF-8`,
      `save it as UTF-8, or convert it: iconv -f LATIN1 -t UTF-8 ${file}`,
      { path: file },
    );
  const current = bytes?.toString('utf8');
  const text = withBlock(current, agentsBody(acceptance), agentsFile);
  const state = current === undefined ? 'made' : current === text ? 'there' : 'updated';
  return { path: agentsFile, state, text };
}

/** Writes it, one docket at a time. `docket`: docket's own folder, where the lock is. */
export async function writeAgentsMd(
  root: string,
  docket: string,
  acceptance: readonly string[],
): Promise<AgentsMd> {
  const mutex = openMutex(path.join(docket, 'init.lock'), bestLockKind());
  try {
    await lockWithin(mutex, waitMs);
    const file = placeInside(root, agentsFile);
    const before = fingerprint(file);
    const planned = planAgentsMd(root, acceptance);
    const isWritten =
      planned.state === 'there' ||
      (planned.state === 'made'
        ? createFile(file, planned.text)
        : replaceFile(file, planned.text, { still: () => fingerprint(file) === before }));
    mutex.unlock();
    if (isWritten) return planned;
    const message = `${agentsFile} was changed by somebody else meanwhile, and left alone`;
    throw new DocketError('CONFLICT', message, fix`run ${command`init --agents-md`} again`, { path: file });
  } finally {
    mutex.close();
  }
}

/** Such a file is somebody's own. What it needs to lead to the block is said, not written. */
export function noteOn({ name, instructions }: Vendor, root: string): string | undefined {
  if (instructions === undefined) return undefined;
  const file = path.join(root, instructions);
  const agents = path.join(root, agentsFile);
  if (!exists(file) || (exists(agents) && realFolder(file) === realFolder(agents))) return undefined;
  const text = readBytes(file)?.toString('utf8') ?? '';
  if (/(^|[\s(])@?(\.\/)?AGENTS\.md\b/m.test(text)) return undefined;
  return `${instructions} was left alone, and does not lead to ${agentsFile}: add the line "@${agentsFile}" to it for ${name}`;
}
