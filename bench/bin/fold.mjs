// Reads a journal in one of two ways and says how long it took and how much memory it needed.
import { closeSync, openSync, readSync } from 'node:fs';
import { Journal } from '../../dist/store/file/journal.js';
import { Ledger } from '../../dist/store/ledger.js';

const [way, file] = process.argv.slice(2);
const started = performance.now();
const count = way === 'fold' ? fold() : parse();
const took = performance.now() - started;
console.log(JSON.stringify({ took, count, peak: process.resourceUsage().maxRSS * 1024 }));

function fold() {
  const ledger = new Ledger();
  const journal = new Journal(file, 'read');
  journal.readNew((event) => ledger.apply(event));
  journal.close();
  return ledger.seq;
}

/** The least that reading this file as JSON can cost: no checksum, no state, the value thrown away. */
function parse() {
  const chunk = Buffer.allocUnsafe(1 << 20);
  const fd = openSync(file, 'r');
  let last;
  for (let at = 0; ;) {
    const length = readSync(fd, chunk, 0, chunk.length, at);
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0 && end < length; end = chunk.indexOf(10, start)) {
      last = JSON.parse(chunk.toString('utf8', start, end));
      start = end + 1;
    }
    if (length < chunk.length) break;
    at += start;
  }
  closeSync(fd);
  return last.seq;
}
