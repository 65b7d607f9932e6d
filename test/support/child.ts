import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** Path of one of the programs in test/bin. */
export function bin(name: string): string {
  return fileURLToPath(new URL(`../bin/${name}`, import.meta.url));
}

/** Starts a program that does not outlive its test. */
export function start(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

export function startNode(name: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return start(process.execPath, [bin(name), ...args], options);
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
}

export async function ended(child: ChildProcess): Promise<Ended> {
  let out = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve([code, signal]));
  });
  return { code, signal, out };
}

/** One line of test/bin/store.mjs. */
export interface Answer {
  op?: string;
  ok?: boolean;
  tasks?: [string, string][];
  warning?: string;
  rssKb?: number;
  error?: {
    name: string;
    code: string;
    message: string;
    fix: string;
    exitCode: number;
    path?: string;
    line?: number;
  };
}

export async function storeChild(
  root: string,
  ops: readonly string[],
  options: SpawnOptions = {},
): Promise<Answer[]> {
  const { out } = await ended(startNode('store.mjs', [root, ...ops], options));
  return answersIn(out);
}

export function answersIn(out: string): Answer[] {
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Answer);
}
