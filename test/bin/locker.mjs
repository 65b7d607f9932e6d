// Takes a lock in a process of its own. `node locker.mjs KIND LOCK hold` says "held" and keeps it until it is ended;
// `node locker.mjs KIND LOCK count COUNTER TIMES` adds one to a counter so many times, reading and writing it in
// two steps, and logs each new value; `node locker.mjs KIND LOCK once` takes it and gives it back.
import fs from 'node:fs';
import { lockWithin, openMutex } from '../../dist/io/lock.js';

const [kind, file, verb, counter, times] = process.argv.slice(2);
const mutex = openMutex(file, kind);

if (verb === 'hold') {
  await lockWithin(mutex, 20_000);
  console.log('held');
  setInterval(() => undefined, 1000);
} else if (verb === 'count') {
  const fd = fs.openSync(counter, 'r+');
  const log = fs.openSync(`${counter}.log`, 'a');
  for (let n = 0; n < Number(times); n += 1) {
    await lockWithin(mutex, 60_000);
    await increment(fd, log);
    mutex.unlock();
  }
  console.log('ready');
} else {
  await lockWithin(mutex, 20_000);
  mutex.unlock();
  console.log('taken');
}

/** One write of eight bytes each: a process that is killed leaves the old number or the new one. */
async function increment(fd, log) {
  const bytes = Buffer.alloc(8);
  fs.readSync(fd, bytes, 0, 8, 0);
  const next = Number(bytes.toString()) + 1;
  await new Promise(setImmediate);
  fs.writeSync(fd, String(next).padStart(8, '0'), 0);
  fs.writeSync(log, `${next}\n`);
}
