import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import type { RanDirectory, RunControl, RunTaskInput } from '../../src/kinds/directory/api.ts';
import type { TaskDirectories } from '../../src/kinds/directory/directories.ts';
import { openDocket, type Docket } from '../../src/project/docket.ts';
import type { GateAnswer } from '../../src/render/gates.ts';
import { CodexStub } from './codex-stub.ts';
import { Project, until } from './project.ts';

type Fields = Record<string, unknown>;

/** A subtask as an orchestrator would order it. `act` is what the stub does, by its token. */
export function subtask(taskId: string, act = 'success', more: Fields = {}): Fields {
  const prompt = `Work on it. [[${act}]]`;
  return { taskId, title: taskId, agent: 'worker', adapter: 'codex-exec', prompt, ...more };
}

export function actions(...tasks: Fields[]): string {
  return JSON.stringify({ sessionGoal: 'Ship the thing', tasks });
}

/** An agent of a few lines of shell, which has a report as its last word. */
export function shell(
  script: string,
  report: Fields = { status: 'success', summary: 'Done by a shell.' },
): Fields {
  const says = `echo '${JSON.stringify(report)}'`;
  return { adapter: 'command', command: ['/bin/sh', '-c', `prompt=$(cat); ${script}\n${says}`] };
}

/** A project with one task directory and a codex that is a stub. Everything of it is gone when the test ends. */
export class TaskProject extends Project {
  readonly codex: CodexStub;
  readonly #stop = new AbortController();
  readonly #runs: Promise<unknown>[] = [];
  id = '';

  constructor(agents: Fields = {}) {
    const codex = new CodexStub();
    super({ agents: { codex: codex.settings, shell: shell(':'), ...agents } });
    this.codex = codex;
    onTestFinished(async () => {
      this.#stop.abort('shutdown');
      await Promise.allSettled(this.#runs);
    });
  }

  static async created(agents: Fields = {}): Promise<TaskProject> {
    const project = new TaskProject(agents);
    await project.create();
    return project;
  }

  /** With these subtasks behind it, all of them at once. */
  static async ran(...tasks: Fields[]): Promise<TaskProject> {
    const project = await TaskProject.created();
    await project.run(actions(...tasks), { parallel: 8 });
    return project;
  }

  /** A facade of its own each time, as another process would have. */
  async tasks(): Promise<TaskDirectories> {
    return (await this.#open()).tasks();
  }

  #open(): Promise<Docket> {
    const env = { PATH: process.env['PATH'], HOME: this.home, LANG: 'C.UTF-8' };
    return openDocket({ cwd: this.root, root: this.root, env });
  }

  async create(topology: 'swarm' | 'squad' = 'swarm'): Promise<string> {
    const tasks = await this.tasks();
    ({ id: this.id } = await tasks.create({ title: 'Ship it', topology }));
    return this.id;
  }

  run(document: string, control: Partial<RunControl> = {}): Promise<RanDirectory> {
    return this.#go({ kind: 'actions', actions: document, source: 'actions.json', ...this.#with(control) });
  }

  plan(goal: string, maxRounds: number, control: Partial<RunControl> = {}): Promise<RanDirectory> {
    return this.#go({ kind: 'goal', goal, maxRounds, ...this.#with(control) });
  }

  resume(control: Partial<RunControl> = {}): Promise<RanDirectory> {
    return this.#go({ kind: 'rest', ...this.#with(control) });
  }

  async answer(gate: string, decision: GateAnswer['decision'], more: Partial<GateAnswer> = {}) {
    return (await this.#open()).answer(this.id, gate, { decision, by: 'ann', ...more });
  }

  async gates() {
    return (await this.#open()).gates(this.id);
  }

  #with(control: Partial<RunControl>): RunControl {
    return { signal: this.#stop.signal, ...control };
  }

  #go(input: RunTaskInput): Promise<RanDirectory> {
    const going = this.tasks().then((tasks) => tasks.run(this.id, input));
    this.#runs.push(going.catch(() => undefined));
    return going;
  }

  get dir(): string {
    return path.join(this.root, '.agentmesh', 'tasks', this.id);
  }

  has(name: string): boolean {
    return fs.existsSync(path.join(this.dir, name));
  }

  text(name: string): string {
    return fs.readFileSync(path.join(this.dir, name), 'utf8');
  }

  /** As a person would: over what is there. */
  edit(name: string, change: (text: string) => string): void {
    fs.writeFileSync(path.join(this.dir, name), change(this.has(name) ? this.text(name) : ''));
  }

  data(name: string): Fields {
    return (name.endsWith('.yaml') ? parse(this.text(name)) : JSON.parse(this.text(name))) as Fields;
  }

  list(name: string, key: string): Fields[] {
    return this.data(name)[key] as Fields[];
  }

  /** Lines of its log, of one type or all. */
  log(type = ''): Fields[] {
    return this.text('events.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Fields)
      .filter((line) => type === '' || line['type'] === type);
  }

  /** Each worker's status, as its final.json has it. */
  finals(): Record<string, unknown> {
    const names = fs.readdirSync(path.join(this.dir, 'agents'));
    const final = (name: string) => `agents/${name}/artifacts/final.json`;
    return Object.fromEntries(
      names.filter((name) => this.has(final(name))).map((name) => [name, this.data(final(name))['status']]),
    );
  }

  /** Waits until a gate has closed so many times. */
  async untilGate(gate: string, times = 1): Promise<void> {
    const closings = () =>
      this.log('gate.blocked').filter(({ payload }) => (payload as Fields)['gateId'] === gate);
    await until(`${gate} closes`, () => closings().length >= times);
  }

  /** While a run is under way its files may follow some moments behind. */
  async untilText(name: string, pattern: RegExp): Promise<void> {
    await until(`${name} says ${pattern.source}`, () => this.has(name) && pattern.test(this.text(name)));
  }

  /** Also from a log that somebody has spoilt. */
  override marks(): string[] {
    const text = this.id !== '' && this.has('events.jsonl') ? this.text('events.jsonl') : '';
    return [...text.matchAll(/"mark":"(\w+)"/g)].map(([, mark = '']) => mark);
  }
}
