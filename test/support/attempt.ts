import fs from 'node:fs';
import path from 'node:path';
import type { Adapter, AgentEvent, AgentRequest } from '../../src/adapters/adapter.ts';
import { defaultLimits, type Agent } from '../../src/adapters/agent.ts';
import type { Turn } from '../../src/adapters/fold.ts';
import { runAttempt, type AttemptOptions } from '../../src/engine/attempt.ts';
import { newMark } from '../../src/io/process/mark.ts';
import { scratch } from './scratch.ts';

export interface Stage {
  root: string;
  cwd: string;
  /** A folder of its own for each attempt. */
  next(): string;
}

/** A work tree and a place for attempts, gone with the test. */
export function stage(): Stage {
  const root = scratch();
  const cwd = path.join(root, 'tree');
  fs.mkdirSync(cwd);
  let attempts = 0;
  return {
    root,
    cwd,
    next() {
      attempts += 1;
      const dir = path.join(root, 'attempts', String(attempts));
      fs.mkdirSync(dir, { recursive: true });
      return dir;
    },
  };
}

export interface Wish {
  adapter: Adapter;
  prompt?: string;
  command?: readonly string[];
  agent?: Partial<Agent>;
  /** docket's own environment. */
  env?: Readonly<Record<string, string | undefined>>;
  request?: Partial<Pick<AgentRequest, 'session' | 'about' | 'schema'>>;
  options?: Partial<AttemptOptions>;
}

export interface Seen {
  turn: Turn;
  events: AgentEvent[];
  dir: string;
}

/** One attempt as the engine makes it: a real process, real limits, nothing left behind. */
export async function attempt(at: Stage, wish: Wish): Promise<Seen> {
  const { adapter, prompt = 'Do it.' } = wish;
  const dir = at.next();
  const events: AgentEvent[] = [];
  const agent: Agent = {
    provider: 'it',
    name: 'test',
    adapter,
    permission: 'full',
    limits: { ...defaultLimits, graceMs: 500 },
    env: {},
    sandbox: 'none',
    network: false,
    approvals: false,
    ...(wish.command && { command: wish.command }),
    ...wish.agent,
  };
  const turn = await runAttempt({
    agent,
    mark: newMark(),
    request: {
      prompt,
      cwd: at.cwd,
      dir,
      session: { kind: 'new' },
      env: wish.env ?? process.env,
      about: { taskId: 'task-1', step: 'work', attempt: 1 },
      ...wish.request,
    },
    onEvent: (event) => void events.push(event),
    now: () => Date.now(),
    ...wish.options,
  });
  return { turn, events, dir };
}
