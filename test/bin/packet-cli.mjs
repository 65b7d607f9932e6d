#!/usr/bin/env node
// A stand-in for codex, gemini and copilot in a packet: the name by which it is called says which. It takes that vendor's
// flags and no others, finds its role in the prompt, does what `$PACKET_SCENARIO` has for the stage, and answers in the
// vendor's own format. `$PACKET_DIARY` gets a line for each call.
//
// The scenario: stage → its calls in order, the last of them for all that follow:
//   { say, edit: {file: text}, shell, run, stderr, fail, exit, hang, linger }   what is left out is done as it should be
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { answerOf, roleIn } from './packet-cli/answers.mjs';
import { vendors } from './packet-cli/vendors.mjs';

const tool = basename(process.argv[1] ?? '');
const vendor = vendors[tool];
if (!vendor) throw new Error(`packet-cli is called codex, gemini or copilot, not ${tool}`);
const argv = process.argv.slice(2);
const odd = argv.find((arg, at) => !vendor.takes(arg, argv[at - 1]));
if (odd !== undefined) {
  process.stderr.write(`error: unexpected argument '${odd}' found\n`);
  process.exit(2);
}
const prompt = readFileSync(0, 'utf8');
const diary = process.env.PACKET_DIARY;
const calls = existsSync(diary) ? readFileSync(diary, 'utf8').trimEnd().split('\n') : [];
// A conversation that goes on knows what part it plays.
const earlier = calls.map((line) => JSON.parse(line)).filter((call) => call.tool === tool);
const role = argv.some((arg) => /^(resume$|--resume=)/.test(arg)) ? earlier.at(-1).role : roleIn(prompt);
const stage = `${tool}_${role}`;

const before = calls.filter((line) => JSON.parse(line).stage === stage).length;
const model = argv.find((arg) => arg.startsWith('--model='))?.slice('--model='.length);
const sha = createHash('sha256').update(prompt).digest('hex');
appendFileSync(
  diary,
  `${JSON.stringify({ tool, role, stage, model, sha, pid: process.pid, argv, prompt })}\n`,
);

const acts = JSON.parse(readFileSync(process.env.PACKET_SCENARIO, 'utf8'))[stage] ?? [];
const act = acts[Math.min(before, acts.length - 1)] ?? {};

vendor.begin(argv);
if (act.stderr !== undefined) process.stderr.write(act.stderr);
for (const [file, text] of Object.entries(act.edit ?? {})) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
if (act.shell !== undefined) {
  const { status, stderr } = spawnSync('/bin/bash', ['-ec', act.shell], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the scenario's own command failed: ${stderr}`);
}
if (act.run !== undefined) vendor.ran(act.run, spawnSync('/bin/sh', ['-c', act.run]).status);
if (act.hang) hang();
if (act.fail !== undefined) {
  vendor.fail(act.fail);
  process.exitCode = act.exit ?? 1;
} else if (act.exit !== undefined) process.exitCode = act.exit;
else vendor.done(act.say ?? answerOf(role));
if (act.linger) hang();

/** Neither it nor its child listens to a polite word. */
function hang() {
  process.on('SIGTERM', () => undefined);
  spawnSync('/bin/sh', ['-c', "trap '' TERM; sleep 600 & wait; sleep 600"], { stdio: 'ignore' });
}
