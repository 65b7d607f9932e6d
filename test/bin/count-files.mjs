// Preload (--import): counts how often each file is opened or read whole, and writes it to $COUNT_FILES at the end.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const counts = {};
for (const name of ['openSync', 'readFileSync']) {
  const original = fs[name];
  fs[name] = (file, ...rest) => {
    if (typeof file === 'string') counts[file] = (counts[file] ?? 0) + 1;
    return original(file, ...rest);
  };
}
syncBuiltinESMExports();
process.on('exit', () => fs.writeFileSync(process.env.COUNT_FILES, JSON.stringify(counts)));
