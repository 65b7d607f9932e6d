import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../src/io/clock.ts';
import { makeBoard } from '../../src/kinds/board/board.ts';
import { openDocket } from '../../src/project/docket.ts';
import { bin } from '../support/child.ts';
import { queueText, type RawRecord } from '../support/queue-project.ts';

/** What a provider is like by and by; see test/bin/night-agent/weather.mjs. */
interface Spell {
  /** It begins when so many calls were served. */
  after: number;
  minutes: number;
  kind: 'limit' | 'outage';
  told?: 'text' | 'data' | 'nothing';
  late?: number;
}

export interface NightPlan {
  /** Its time of day when it begins. */
  from: number;
  /** So many times faster than ours. */
  scale: number;
  weather: Readonly<Record<string, readonly Spell[]>>;
  /** Of one call, in US dollars. */
  cost?: Readonly<Record<string, number>>;
}

type Subtask = readonly [name: string, agent: string, act?: string];

/** A project with work of all layouts, and the providers of a night. */
export class NightProject {
  readonly dir: string;
  /** What is on the disk that may be full. */
  readonly disk: string;
  readonly root: string;
  /** What docket, its agents and the test share. */
  readonly night: string;
  readonly env: Record<string, string>;
  readonly clock: Clock;
  readonly #plan: NightPlan;
  readonly #settings: object;
  #began: number | undefined;

  constructor(dir: string, plan: NightPlan, settings: object = {}) {
    this.dir = dir;
    this.disk = path.join(dir, 'disk');
    this.root = path.join(this.disk, 'root');
    this.night = path.join(dir, 'night');
    for (const folder of [this.root, this.night, path.join(this.disk, 'home')])
      fs.mkdirSync(folder, { recursive: true });
    this.#plan = plan;
    this.clock = {
      now: () =>
        this.#began === undefined ? plan.from : plan.from + (Date.now() - this.#began) * plan.scale,
    };
    this.env = {
      PATH: process.env['PATH'] ?? '',
      HOME: path.join(this.disk, 'home'),
      LANG: 'C.UTF-8',
      NIGHT: this.night,
      DOCKET_STATE: path.join(this.disk, 'state'),
    };
    this.write('a.txt', 'one\n');
    this.write('src/app.txt', 'Hi\n');
    this.write('docs/guide.md', '# Guide\n');
    this.write('.gitignore', '.docket\n.takt\n.agentmesh\n.tmp\nstate\n');
    this.#git('init', '--quiet', '--initial-branch=main');
    this.#git('add', '.');
    this.#git('commit', '--quiet', '-m', 'start');
    this.#settings = settings;
    this.share(this.night);
  }

  /** Its agents are those of another night. */
  share(night: string): void {
    this.write('.docket/config.yaml', JSON.stringify({ agents: agents(night), ...this.#settings }));
  }

  /** From now on its time passes. */
  begins(): void {
    this.#began = Date.now();
    const ballast = path.join(this.disk, 'ballast');
    const night = { ...this.#plan, began: this.#began, ballast };
    fs.writeFileSync(path.join(this.night, 'night.json'), JSON.stringify(night));
  }

  write(name: string, text: string): void {
    const file = path.join(this.root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }

  #git(...args: string[]): void {
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    const env = { ...this.env, GIT_CONFIG_NOSYSTEM: '1' };
    execFileSync('git', [...who, ...args], { cwd: this.root, env });
  }

  /** Tasks of the queue, the first of them first. */
  queue(records: readonly (Partial<RawRecord> & { name: string })[]): void {
    this.write('.takt/tasks.yaml', queueText(records));
  }

  #open() {
    return openDocket({ cwd: this.root, root: this.root, env: this.env, clock: this.clock });
  }

  /** A task directory whose subtasks were ordered, and not begun. */
  async directory(title: string, subtasks: readonly Subtask[]): Promise<void> {
    const tasks = await (await this.#open()).tasks();
    const { id } = await tasks.create({ title, topology: 'swarm' });
    const actions = subtasks.map(([taskId, adapter, act = 'work']) => {
      return { taskId, title: taskId, agent: 'worker', adapter, prompt: `Do it. [[${taskId} ${act}]]` };
    });
    const order = { kind: 'actions', source: 'actions.json', signal: AbortSignal.abort('shutdown') } as const;
    await tasks.run(id, { ...order, actions: JSON.stringify({ sessionGoal: title, tasks: actions }) });
  }

  async packet(id: string, intent: string, act = 'work'): Promise<void> {
    const packets = await (await this.#open()).packets();
    const commands = intent === 'safe_impl' ? [`test -e src/${id}.txt`] : ['test -e src/app.txt'];
    const lists = { allow: ['src/'], deny: ['.env'], commands, criteria: ['It is there'] };
    await packets.make({ id, goal: `Make it. [[${id} ${act}]]`, intent, ...lists });
    const manifest = path.join(this.root, '.tmp', 'task', id, 'manifest.yaml');
    const text = fs.readFileSync(manifest, 'utf8').replace(/^( +max_wallclock_sec): .*$/m, '$1: 360000');
    fs.writeFileSync(manifest, text.replace(/^( +paid_call_budget): .*$/m, '$1: 100'));
  }

  /** Tasks of the board, each given to a worker of a role. */
  async board(orders: readonly (readonly [name: string, role: string])[]): Promise<void> {
    const board = makeBoard({ root: this.root, env: this.env, clock: this.clock, warn: () => undefined });
    const { signal } = new AbortController();
    const said = { sender: { actor: 'orchestrator', isBot: false }, locale: 'en', signal } as const;
    for (const [at, [name, role]] of orders.entries()) {
      const id = `T-${String(at + 1).padStart(3, '0')}`;
      await board.say({ ...said, text: `create task ${id}: work of ${name}` });
      const text = `dispatch ${id} ${role}: do it [[${name} work]]`;
      await board.say({ ...said, text, mode: 'spawn', later: true });
    }
  }
}

/** Four providers; `plain` is a program of the first one. */
function agents(night: string): object {
  const agent = (adapter: string, provider: string, more: object = {}, vendor = adapter) => ({
    adapter,
    provider,
    command: [bin('night-agent.mjs'), vendor, provider],
    env: { NIGHT: night },
    limits: { graceSeconds: 1 },
    ...more,
  });
  return {
    claude: agent('claude', 'anthropic'),
    plain: agent('command', 'anthropic', { free: true }, 'plain'),
    codex: agent('codex', 'openai', { model: 'gpt-night' }),
    gemini: agent('gemini', 'google'),
    metered: agent('claude', 'metered'),
  };
}
