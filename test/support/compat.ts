import fs from 'node:fs';
import path from 'node:path';
import { runCompat } from '../../src/project/compat/run.ts';
import { scratch } from './scratch.ts';

export interface Setting {
  env?: Record<string, string>;
  stdin?: string;
}

/** A board's folder, and the original's scripts on it. */
export function compatBoard(root = scratch()) {
  const run = (script: string, argv: readonly string[], { env = {}, stdin = '' }: Setting = {}) =>
    runCompat(script, argv, {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: root, ...env },
      stdin: async () => stdin,
      warn: () => undefined,
      signal: new AbortController().signal,
    });
  /** The one JSON value that it prints, and its exit code. */
  const json = async (script: string, argv: readonly string[], setting?: Setting) => {
    const { stdout, code, stderr } = await run(script, argv, setting);
    const lines = stdout.split('\n');
    if (lines.length !== 2) throw new Error(`not one line: ${stdout}${stderr}`);
    const answer: Record<string, unknown> = {
      code,
      ...(JSON.parse(lines[0] ?? '') as Record<string, unknown>),
    };
    return answer;
  };
  const route = (text: string, ...more: string[]) =>
    json('orchestrator-router', ['--root', root, '--text', text, ...more]);
  const tasks = () => {
    const file = path.join(root, 'state/tasks.snapshot.json');
    return (JSON.parse(fs.readFileSync(file, 'utf8')) as { tasks: Record<string, Record<string, unknown>> })
      .tasks;
  };
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  };
  const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8');
  write('out/test.log', '12 tests pass\n'); // what reports point to
  return { root, run, json, route, tasks, write, read };
}

/** What stands at `a.0.b` in an answer. */
export function at(value: unknown, where: string): unknown {
  return where
    .split('.')
    .reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], value);
}
