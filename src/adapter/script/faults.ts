/** What agents do when they do not do what they should. */

/** Lines that are no event: broken JSON, unknown events, NUL bytes, broken UTF-8; then one line of that many bytes. */
export function garbage(bytes: number): void {
  const lines = [
    '{"type":"text","text":',
    '{"type":"no such event","text":7}',
    '{"type":"tool"}',
    '[1,2]',
    'null',
    'a\0b',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  process.stdout.write(Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0xe2, 0x82, 0x0a]));
  const chunk = Buffer.alloc(65_536, 0x78);
  for (let left = bytes; left > 0; left -= chunk.length) process.stdout.write(chunk.subarray(0, left));
  if (bytes > 0) process.stdout.write('\n');
}

export function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return hang();
}

/** For ever, at no cost. */
export function hang(): Promise<never> {
  return new Promise(() => void setInterval(() => undefined, 2 ** 30));
}
