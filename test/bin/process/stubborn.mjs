// Leaves the group: starts, by way of a shell that ends at once, a process in a session of its own that ignores SIGTERM
// and holds a port. `node stubborn.mjs leave` says which port and ends; `stay` says so and waits, deaf to SIGTERM too.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

const [verb, portFile] = process.argv.slice(2);
process.on('SIGTERM', () => undefined);

if (verb === 'hold') {
  const server = net.createServer();
  server.listen(0, '127.0.0.1', () => {
    fs.writeFileSync(`${portFile}.new`, String(server.address().port));
    fs.renameSync(`${portFile}.new`, portFile);
  });
} else {
  const file = path.join(process.env.TMPDIR, 'port');
  const args = ['-c', '"$@" &', 'sh', process.execPath, process.argv[1], 'hold', file];
  spawn('/bin/sh', args, { detached: true, stdio: 'ignore' });
  const look = setInterval(() => {
    if (!fs.existsSync(file)) return;
    clearInterval(look);
    console.log(`port ${fs.readFileSync(file, 'utf8')}`);
    if (verb === 'leave') process.exit(0);
    setInterval(() => undefined, 1000);
  }, 5);
}
