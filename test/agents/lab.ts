import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Adapter, AgentEvent, AgentRequest, Question } from '../../src/adapters/adapter.ts';
import { addEvent, emptyTurn, type Turn } from '../../src/adapters/fold.ts';
import type { StopReason } from '../../src/io/process/process.ts';
import { atMost } from './at-most.ts';
import { testHost, type TestHost } from './host.ts';
import type { Model } from './model/server.ts';
import type { Scenario } from './model/step.ts';

/** What plays a scenario for an adapter: a model behind a real CLI, or a program that needs none. */
export interface Stage {
  command?: readonly string[];
  /** The model's name, as the agent must be told it. */
  modelName?: string;
  env: Readonly<Record<string, string>>;
  model?: Model;
  /** Waits until the agent has begun with that scenario. */
  arrived(name: string): Promise<void>;
  close(): Promise<void>;
}

/** One adapter, and how a scenario is played for it. */
export interface Subject {
  adapter: Adapter;
  /** Somebody is there to be asked, which is another way of talking to some agents. */
  approvals?: true;
  stage(scenario: Scenario, place: Place): Promise<Stage>;
}

export interface Place {
  cwd: string;
  home: string;
}

/** A work tree, a home and an agent of one test's own. */
export interface Lab extends Readonly<Place> {
  readonly model: Model | undefined;
  arrived(name: string): Promise<void>;
  file(name: string): string;
  /** One turn, to its end. */
  run(prompt: string, wish?: Wish): Promise<Ran>;
  close(): Promise<void>;
}

export interface Wish extends Partial<
  Pick<AgentRequest, 'permission' | 'session' | 'schema' | 'usedBefore' | 'approvals'>
> {
  answer?: 'allow' | 'deny';
  /** The vendor will spend most of the time in waits of its own: no reason to keep others waiting. */
  idle?: true;
  /** What happens while it works; the turn can be stopped from there. */
  meanwhile?: (stop: (reason: StopReason) => Promise<void>, isOver: () => boolean) => Promise<void>;
}

export interface Ran extends Turn {
  events: AgentEvent[];
  asked: readonly Question[];
  mark: string;
}

const longestTurnMs = 180_000;

/** A turn has its own bound, because a test may have to wait for its turn. */
function timeBound(act: () => Promise<void>): { clear(): void; passed(): boolean } {
  let passed = false;
  const timer = setTimeout(() => {
    passed = true;
    act().catch(() => undefined); // the turn's own end tells
  }, longestTurnMs);
  return { clear: () => clearTimeout(timer), passed: () => passed };
}

/** Two cores and a handful of agents: more at once of one kind would only make each of them slow. */
const inTurn = atMost(2);

/** `scenario` may need to know where the work tree and the home are. */
export async function openLab(subject: Subject, scenario: (place: Place) => Scenario): Promise<Lab> {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `${subject.adapter.name}-`)));
  const place = { cwd: path.join(root, 'work'), home: path.join(root, 'home') };
  fs.mkdirSync(place.cwd);
  fs.mkdirSync(place.home);
  execFileSync('git', ['init', '--quiet'], { cwd: place.cwd, env: { PATH: process.env['PATH'] } });
  const stage = await subject.stage(scenario(place), place);
  const hosts: TestHost[] = [];

  async function run(prompt: string, wish: Wish = {}): Promise<Ran> {
    return wish.idle ? turn(prompt, wish) : inTurn(() => turn(prompt, wish));
  }

  async function turn(prompt: string, wish: Wish): Promise<Ran> {
    const attempt = hosts.length + 1;
    const dir = path.join(root, `attempt-${attempt}`);
    fs.mkdirSync(dir);
    const { answer = 'deny', meanwhile, idle: _idle, ...rest } = wish;
    const around = { PATH: process.env['PATH'] ?? '', HOME: place.home, LANG: 'C.UTF-8', TERM: 'dumb' };
    const env = { ...around, ...stage.env };
    const host = testHost({ adapter: subject.adapter, cwd: place.cwd, dir, env, extra: stage.env, answer });
    hosts.push(host);
    const request: AgentRequest = {
      prompt,
      cwd: place.cwd,
      // What cannot be held to less is tried with all.
      permission: subject.adapter.capabilities.permissions.edit === 'none' ? 'full' : 'edit',
      sandboxed: false,
      session: { kind: 'new' },
      dir,
      env,
      about: { taskId: 'task', step: 'work', attempt },
      ...(subject.approvals && { approvals: true }),
      ...(stage.command && { command: stage.command }),
      ...(stage.modelName !== undefined && { model: stage.modelName }),
      ...rest,
    };
    const events: AgentEvent[] = [];
    const folded = emptyTurn();
    const worked = (async () => {
      for await (const event of subject.adapter.run(request, host)) {
        events.push(event);
        addEvent(folded, event);
      }
    })();
    const bound = timeBound(() => host.stop('timeout'));
    try {
      const isOver = (): boolean => events.at(-1)?.type === 'end';
      // Whichever is first: a turn that ended too early must not be waited for.
      if (meanwhile) await Promise.race([worked, meanwhile((reason) => host.stop(reason), isOver)]);
      await worked;
    } finally {
      bound.clear();
    }
    if (bound.passed()) throw new Error(`the agent did not end within ${longestTurnMs} ms: ${prompt}`);
    return { ...folded, events, asked: host.asked, mark: host.mark };
  }

  return {
    ...place,
    model: stage.model,
    arrived: (name) => stage.arrived(name),
    file: (name) => path.join(place.cwd, name),
    run,
    async close() {
      // Also when an expectation failed in between: nothing of a test outlives it.
      for (const host of hosts) await host.stop('canceled');
      await stage.close();
      fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
