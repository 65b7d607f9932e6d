import fs from 'node:fs';

/** The TCP ports that a process listens on, sorted. Nothing is told where there is no /proc. */
export function portsOf(pids: readonly number[]): number[] {
  const ports = pids.flatMap((pid) => {
    const sockets = socketsOf(pid);
    if (sockets.size === 0) return [];
    // Seen from the process: it may live in a network of its own.
    return ['tcp', 'tcp6'].flatMap((name) => listeningIn(textOf(`/proc/${pid}/net/${name}`), sockets));
  });
  return [...new Set(ports)].toSorted((a, b) => a - b);
}

/** Lines of the kernel's table whose socket is one of these, in the state LISTEN. */
export function listeningIn(text: string, sockets: ReadonlySet<string>): number[] {
  return text.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const port = Number.parseInt(local.split(':').at(-1) ?? '', 16);
    return state === '0A' && sockets.has(inode) && port > 0 ? [port] : [];
  });
}

function socketsOf(pid: number): Set<string> {
  const dir = `/proc/${pid}/fd`;
  const links = unlessGone(() => fs.readdirSync(dir)) ?? [];
  const inodes = links.map((name) => unlessGone(() => fs.readlinkSync(`${dir}/${name}`)) ?? '');
  return new Set(inodes.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

function textOf(file: string): string {
  return unlessGone(() => fs.readFileSync(file, 'latin1')) ?? '';
}

/** It has ended, or does not let itself be looked at: then nothing is told of it. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
