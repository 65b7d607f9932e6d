import { spawn } from 'node:child_process';
import net from 'node:net';
import os from 'node:os';

/**
 * A program of its own, inside a sandbox without a network: it listens on the sandbox's loopback, hands everything to
 * docket's gateway behind a socket, and starts the agent. `forward.js SOCKET PORT,PORT@NAME… -- PROGRAM ARGS…`; a port
 * with a name behind it stands for that host, the one without is a proxy.
 */
const [socket = '', ports = '', , program = '', ...args] = process.argv.slice(2);
const patienceMs = 10_000;

/** docket may be a moment late, or be started again meanwhile. */
function reach(target: string | undefined, client: net.Socket, since = Date.now()): void {
  const way = net.connect(socket);
  way.once('connect', () => {
    way.removeAllListeners('error');
    for (const [one, two] of [
      [way, client],
      [client, way],
    ] as const) {
      one.on('error', () => two.destroy());
      one.on('close', () => two.destroy());
    }
    if (target === undefined) return void client.pipe(way).pipe(client);
    way.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
    let answer = Buffer.alloc(0);
    way.on('data', function heard(chunk: Buffer) {
      answer = Buffer.concat([answer, chunk]);
      const end = answer.indexOf('\r\n\r\n');
      if (end < 0) return;
      way.removeListener('data', heard);
      if (!answer.subarray(0, 12).toString('latin1').endsWith(' 200')) return void client.destroy();
      client.write(answer.subarray(end + 4));
      client.pipe(way).pipe(client);
    });
  });
  way.once('error', () => {
    if (client.destroyed || Date.now() - since > patienceMs) return void client.destroy();
    setTimeout(() => reach(target, client, since), 50);
  });
}

function listen(port: number, target: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = net.createServer({ allowHalfOpen: false }, (client) => {
      client.on('error', () => client.destroy());
      reach(target, client);
    });
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

for (const entry of ports.split(',')) {
  const [port = '', target] = entry.split('@');
  await listen(Number(port), target);
}
const child = spawn(program, args, { stdio: 'inherit' });
// The agent is in our group and hears every signal itself; we only have to outlive it.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => undefined);
child.once('error', (error) => {
  process.stderr.write(`cannot start ${program}: ${error.message}\n`);
  process.exit(126);
});
child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal ? os.constants.signals[signal] : 0)));
