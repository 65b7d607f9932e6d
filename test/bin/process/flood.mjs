// Writes a lot. `node flood.mjs line MB`: one line of so many megabytes, then "behind it". `bytes`: characters, broken
// ones and NUL, each byte in a write of its own. `fast SECONDS`: 10,000 numbered lines per second.
import fs from 'node:fs';

const [what, amount] = process.argv.slice(2);

/** Whole, however little the system takes at a time. */
function write(bytes) {
  for (let at = 0; at < bytes.length;) at += fs.writeSync(1, bytes, at);
}

if (what === 'line') {
  const megabyte = Buffer.alloc(1024 * 1024, 'ä'); // no border of a piece of it is one of a character
  write(Buffer.from('{"begins":"'));
  for (let n = 0; n < Number(amount); n += 1) write(megabyte);
  write(Buffer.from('"}\nbehind it\n'));
} else if (what === 'bytes') {
  const bytes = Buffer.concat([
    Buffer.from('日本語 🙂\r\n'),
    Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xe2, 0x82, 0x0a]),
    Buffer.from([0x00, 0x63, 0x00, 0x0a]),
    Buffer.from('\n\r\nno newline at the end'),
  ]);
  for (const byte of bytes) {
    write(Buffer.from([byte]));
    await new Promise(setImmediate);
  }
} else {
  const total = Number(amount) * 10_000;
  const began = performance.now();
  for (let n = 0; n < total;) {
    const due = Math.min(total, (performance.now() - began) * 10);
    for (; n < due; n += 1) write(Buffer.from(`{"n":${n},"text":"line ${n}"}\n`));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
