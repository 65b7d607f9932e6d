import net, { type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { listeningIn, portsOf } from '../../../src/io/process/listening.ts';

test.runIf(process.platform === 'linux')('the ports that a process listens on, and no others', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  expect(portsOf([process.pid, 2 ** 22 + 1])).toContain(port);
  await new Promise((resolve) => server.close(resolve));
  expect(portsOf([process.pid])).not.toContain(port);
});

test('lines of the kernel’s table', () => {
  const line = (local: string, state: string, inode: string) =>
    `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000  0 ${inode} 1 0 100`;
  const text = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    line('0100007F:1F90', '0A', '11'),
    line('00000000000000000000000001000000:0050', '0A', '12'),
    line('0100007F:1F91', '01', '13'), // connected
    line('0100007F:1F92', '0A', '14'), // somebody else's
    '',
  ].join('\n');
  expect(listeningIn(text, new Set(['11', '12', '13']))).toEqual([8080, 80]);
});
