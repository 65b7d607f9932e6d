// Prints its arguments, its folder and its stdin as one line of JSON.
import fs from 'node:fs';

console.log(
  JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), stdin: fs.readFileSync(0, 'utf8') }),
);
