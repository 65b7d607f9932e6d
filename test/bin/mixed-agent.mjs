#!/usr/bin/env node
// An agent for all kinds of tasks at once: it makes the file that its prompt names (`FILE:path`), slowly, and tells in
// $MIXED_DIARY when it begins and ends. Called with `exec` it speaks codex's JSON lines, otherwise it hands back a report.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const prompt = readFileSync(0, 'utf8');
const file = /FILE:([\w./-]+\.txt)/.exec(prompt)?.[1] ?? 'nothing.txt';
const note = (what) =>
  appendFileSync(process.env.MIXED_DIARY, `${JSON.stringify({ what, file, pid: process.pid })}\n`);

note('began');
await sleep(Number(process.env.MIXED_MS ?? 400));
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, `made for ${file}\n`);
note('ended');
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
if (process.argv.includes('exec')) {
  say({ type: 'thread.started', thread_id: '0199a213-81c0-7800-8aa1-bbab2a035a53' });
  say({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: `${file} is made.` } });
  say({ type: 'turn.completed', usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5 } });
} else say({ status: 'success', summary: `${file} is made` });
