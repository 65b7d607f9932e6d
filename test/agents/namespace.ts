import fs from 'node:fs';
import net from 'node:net';

/** Refuses to run where a CLI could reach anything but the scripted model, or a test a process of somebody else. */
export async function setup(): Promise<void> {
  const devices = fs
    .readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .flatMap((line) => /^\s*([^:\s]+):/.exec(line)?.[1] ?? []);
  const others = devices.filter((name) => name !== 'lo' && !isIdle(name));
  const first = fs.readFileSync('/proc/1/cmdline', 'utf8');
  const ours = first.includes('vitest.agents.config.ts');
  if (others.length === 0 && ours && (await cannotLeave())) return;
  throw new Error(
    'this suite starts real agents and runs only in a namespace of its own, with loopback and nothing else: ' +
      'start it by `npm run test:agents`',
  );
}

/** Tunnel devices that a kernel module puts into every new namespace, down and without an address. */
function isIdle(name: string): boolean {
  return fs.readFileSync(`/sys/class/net/${name}/operstate`, 'utf8').trim() === 'down';
}

/** An address of the documentation's own range: nobody is there, and without a route the kernel says so at once. */
function cannotLeave(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '192.0.2.1', port: 80, timeout: 2000 });
    const settle = (alone: boolean) => () => {
      socket.destroy();
      resolve(alone);
    };
    socket.once('connect', settle(false)).once('timeout', settle(false));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code === 'ENETUNREACH')());
  });
}
