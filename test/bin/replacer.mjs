// Replaces a file again and again until it is ended: `node replacer.mjs FILE`. Every version is one letter, many times.
import { replaceFile } from '../../dist/io/files.js';

const [file] = process.argv.slice(2);
console.log('begun');
for (let n = 0; ; n += 1) replaceFile(file, String.fromCharCode(97 + (n % 26)).repeat(300_000));
