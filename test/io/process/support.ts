import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { findMarked } from '../../../src/io/process/family.ts';
import { newMark } from '../../../src/io/process/mark.ts';
import type { AgentProcess, Line, ProcessSpec } from '../../../src/io/process/process.ts';
import { startProcess } from '../../../src/io/process/start.ts';
import { tempFolderOf } from '../../../src/io/process/temp-folder.ts';
import { scratch } from '../../support/scratch.ts';

/** Path of one of the agents in test/bin/process. */
export const agent = (name: string): string =>
  fileURLToPath(new URL(`../../bin/process/${name}`, import.meta.url));

export const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/nonexistent' };

/** How often the long form repeats what the short one shows; 0 in the short one. */
export const rounds = Number(process.env['DOCKET_PROCESS_ROUNDS'] ?? 0);

/** An attempt in a folder of its own. Nothing of it outlives the test. */
export function attempt(argv: readonly string[], more: Partial<ProcessSpec> = {}): ProcessSpec {
  const dir = path.join(scratch(), 'attempt');
  fs.mkdirSync(dir);
  const mark = newMark();
  clearedAway(mark);
  return { argv, cwd: dir, env, stdin: { text: '' }, dir, mark, graceMs: 2000, ...more };
}

/** Ends what a failed test left running, and by its mark only what that test has started. */
function clearedAway(mark: string): void {
  onTestFinished(() => {
    for (const pid of findMarked(mark)) process.kill(pid, 'SIGKILL');
    fs.rmSync(tempFolderOf(mark), { recursive: true, force: true });
  });
}

export const shell = (script: string, more: Partial<ProcessSpec> = {}): ProcessSpec =>
  attempt(['sh', '-c', script], more);

export const node = (
  name: string,
  args: readonly string[] = [],
  more: Partial<ProcessSpec> = {},
): ProcessSpec => attempt([process.execPath, agent(name), ...args], more);

/** Runs it to its end. */
export async function run(spec: ProcessSpec) {
  const child = await startProcess(spec);
  const lines = await all(child);
  return { lines, texts: lines.map(({ text }) => text), exit: await child.exited, child };
}

export async function all(child: AgentProcess): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of child.lines()) lines.push(line);
  return lines;
}

/** Waits for a line that begins so; returns what stands behind it. */
export async function said(child: AgentProcess, beginning: string): Promise<string> {
  for await (const { text } of child.lines())
    if (text.startsWith(beginning)) return text.slice(beginning.length).trim();
  throw new Error(`it never said ${beginning}: ${child.stderrTail()}`);
}

/** Whether nothing of an attempt is left but its folder. */
export function leftovers(mark: string): { processes: number[]; tempFolder: boolean } {
  return { processes: findMarked(mark), tempFolder: fs.existsSync(tempFolderOf(mark)) };
}

export const nothing = { processes: [], tempFolder: false };
