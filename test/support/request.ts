import fs from 'node:fs';
import path from 'node:path';
import type { AgentEvent, AgentRequest } from '../../src/adapters/adapter.ts';
import type { Finish, Reader } from '../../src/adapters/exec.ts';
import type { Exit } from '../../src/io/process/process.ts';
import { scratch } from './scratch.ts';

/** A request for what looks at no files. */
export function plainRequest(wish: Partial<AgentRequest> = {}): AgentRequest {
  return {
    prompt: 'Do it.',
    cwd: '/repo',
    dir: '/attempt',
    permission: 'edit',
    sandboxed: false,
    session: { kind: 'new' },
    env: {},
    about: { taskId: 't-1', step: 'work', attempt: 1 },
    ...wish,
  };
}

/** A request in folders of its own, with a user's home of its own. */
export function request(wish: Partial<AgentRequest> = {}): AgentRequest & { root: string; user: string } {
  const root = scratch();
  const [cwd, dir, user] = ['tree', 'attempt', 'user'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [cwd, dir, user]) fs.mkdirSync(folder);
  return { root, user, ...plainRequest({ cwd, dir, ...wish }), env: { HOME: user, ...wish.env } };
}

export function put(file: string, content = '{}'): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  return file;
}

/** The lines of a recorded run in the folder `fixtures` beside the test. */
export function recorded(test: string, name: string): Record<string, unknown>[] {
  const text = fs.readFileSync(new URL(`fixtures/${name}.jsonl`, test), 'utf8');
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

export function readAll(
  reader: Reader,
  lines: readonly Record<string, unknown>[],
  exit: Exit = { code: 0 },
): { events: AgentEvent[]; finish: Finish } {
  const events = lines.flatMap((line) => [...reader.line(line)]);
  return { events, finish: reader.finish(exit) };
}
