// Conversations, kept below CODEX_HOME as the vendor does: one that was begun in another home is not found in this one.
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(process.env.CODEX_HOME ?? join(process.env.HOME, '.codex'), 'sessions');
const fileOf = (id) => join(folder, `rollout-${id}.jsonl`);

function promptsOf(id) {
  const lines = readFileSync(fileOf(id), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).prompt);
}

/** Undefined: there is nothing to go on with. */
export function beginThread(how, from) {
  if (how === 'new') return thread(randomUUID(), []);
  if (!/^[0-9a-f-]{36}$/.test(from ?? '') || !existsSync(fileOf(from))) return undefined;
  if (how === 'resume') return thread(from, promptsOf(from));
  const copy = thread(randomUUID(), []);
  for (const prompt of promptsOf(from)) copy.hear(prompt);
  return copy;
}

function thread(id, prompts) {
  return {
    id,
    prompts,
    hear(prompt) {
      prompts.push(prompt);
      mkdirSync(folder, { recursive: true });
      appendFileSync(fileOf(id), `${JSON.stringify({ prompt })}\n`);
    },
    /** The vendor counts over the whole thread. */
    usage: () => ({
      input_tokens: 100 * prompts.length,
      cached_input_tokens: 0,
      output_tokens: 10 * prompts.length,
    }),
  };
}
