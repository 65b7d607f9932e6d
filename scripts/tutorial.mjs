// Runs a page as its reader would, and compares what each command prints with what the page says it prints.
// `node scripts/tutorial.mjs [--update] [page]`; scripts/tutorial/page.mjs says how a page has to be written.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compare } from './tutorial/compare.mjs';
import { stepsOf, withOutput } from './tutorial/page.mjs';
import { Reader } from './tutorial/reader.mjs';

const isUpdate = process.argv.includes('--update');
const [page = fileURLToPath(new URL('../docs/tutorial.md', import.meta.url))] = process.argv
  .slice(2)
  .filter((word) => !word.startsWith('--'));

const reader = new Reader();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => reader.leave().then(() => process.exit(130)));

try {
  const began = Date.now();
  const updated = await read(readFileSync(page, 'utf8'));
  if (isUpdate) writeFileSync(page, updated);
  console.log(`${page}: every command did what the page says (${Math.round((Date.now() - began) / 1000)} s)`);
} catch (error) {
  console.error(`${page}:${error.message}`);
  process.exitCode = 1;
} finally {
  await reader.leave();
}

/** The page with the outputs as they are now. Without --update the first one that differs is thrown. */
async function read(text) {
  const outputs = new Map();
  for (const step of stepsOf(text)) {
    if (step.kind === 'file') reader.write(step);
    else {
      const printed = await reader.run(step);
      const difference = compare(step.output ?? { line: step.line - 1, text: '' }, printed);
      if (difference === undefined) continue;
      if (!isUpdate) throw new Error(difference);
      outputs.set(step, printed);
    }
  }
  return withOutput(text, outputs);
}
