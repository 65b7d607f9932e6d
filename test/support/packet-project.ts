import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { NewPacket, RanPacket, RunPacketInput } from '../../src/kinds/packet/api.ts';
import type { Packets } from '../../src/kinds/packet/packets.ts';
import { openDocket } from '../../src/project/docket.ts';
import { bin } from './child.ts';
import { Project } from './project.ts';
import { scratch } from './scratch.ts';

/** What a fake agent does in one call; see test/bin/packet-cli.mjs. */
export interface Act {
  say?: string;
  edit?: Readonly<Record<string, string>>;
  shell?: string;
  /** A command of its own, of which it tells; codex only. */
  run?: string;
  stderr?: string;
  /** The vendor's own message that it failed. */
  fail?: string;
  exit?: number;
  hang?: boolean;
  /** It has said all, and does not end. */
  linger?: boolean;
}
export type Scenario = Readonly<Record<string, readonly Act[]>>;

/** One call of a fake agent, from its diary. */
export interface Call {
  tool: string;
  role: string;
  stage: string;
  model: string;
  sha: string;
  pid: number;
  argv: string[];
  prompt: string;
}

/** What an impl stage does unless the scenario says otherwise. */
export const polite: Act = { edit: { 'src/app.txt': 'Good day\n' }, say: 'The greeting is polite now.' };

/** A git repository with fake codex, gemini and copilot on its PATH, and packets in it. */
export class PacketProject extends Project {
  readonly #dir: string;
  readonly #stop = new AbortController();
  readonly #runs: Promise<unknown>[] = [];
  id = 'p-1';

  constructor(scenario: Scenario = {}) {
    const dir = scratch();
    const env = {
      PACKET_SCENARIO: path.join(dir, 'scenario.json'),
      PACKET_DIARY: path.join(dir, 'diary.jsonl'),
    };
    const agent = (adapter: string) => ({ adapter, env, limits: { graceSeconds: 0.3 } });
    const agents = { codex: agent('codex'), gemini: agent('gemini'), copilot: agent('copilot') };
    super({ durability: 'relaxed', agents });
    this.#dir = dir;
    this.play(scenario);
    const programs = path.join(dir, 'bin');
    fs.mkdirSync(programs);
    for (const tool of ['codex', 'gemini', 'copilot'])
      fs.symlinkSync(bin('packet-cli.mjs'), path.join(programs, tool));
    Object.assign(this.env, { PATH: `${programs}:${this.env['PATH']}`, LANG: 'C.UTF-8' });
    this.put('src/app.txt', 'Hi\n');
    this.put('docs/guide.md', '# Guide\n');
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'more');
    onTestFinished(async () => {
      this.#stop.abort('shutdown');
      await Promise.allSettled(this.#runs);
    });
  }

  /** With a packet in it. */
  static async with(
    intent: string,
    scenario: Scenario = {},
    more: Partial<NewPacket> = {},
  ): Promise<PacketProject> {
    const project = new PacketProject(scenario);
    await project.make(intent, more);
    return project;
  }

  /** From now on. */
  play(scenario: Scenario): void {
    fs.writeFileSync(
      path.join(this.#dir, 'scenario.json'),
      JSON.stringify({ codex_impl: [polite], ...scenario }),
    );
  }

  /** A facade of its own each time, as another process would have. */
  async packets(): Promise<Packets> {
    return (await openDocket({ cwd: this.root, root: this.root, env: this.env })).packets();
  }

  /** A person says that all providers can be asked again. */
  async openLimits(): Promise<void> {
    const spending = await (await openDocket({ cwd: this.root, root: this.root, env: this.env })).spending();
    for (const { provider } of spending.limits()) await spending.openLimit(provider);
  }

  async make(intent: string, more: Partial<NewPacket> = {}): Promise<void> {
    const packets = await this.packets();
    const lists = {
      allow: ['src/'],
      deny: ['.env'],
      commands: ['grep -q day src/app.txt'],
      criteria: ['It is polite'],
    };
    await packets.make({ id: this.id, goal: 'Greet politely', intent, ...lists, ...more });
  }

  run(input: Partial<RunPacketInput> = {}): Promise<RanPacket> {
    const going = this.packets().then((packets) =>
      packets.run(this.id, { signal: this.#stop.signal, pauseMs: 1, ...input }),
    );
    this.#runs.push(going.catch(() => undefined));
    return going;
  }

  /** Stage → what became of it. */
  async states(): Promise<Record<string, string>> {
    const { stages } = await (await this.packets()).show(this.id);
    return Object.fromEntries(stages.map(({ stage, state }) => [stage, state]));
  }

  calls(): Call[] {
    const file = path.join(this.#dir, 'diary.jsonl');
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Call);
  }

  /** The stages of all calls, in order. */
  called(): string[] {
    return this.calls().map(({ stage }) => stage);
  }

  get dir(): string {
    return path.join(this.root, '.tmp', 'task', this.id);
  }

  /** A file of the copy in which the packet's agents work. */
  inCopy(name: string): string {
    return path.join(this.root, '.docket', 'packet', this.id, 'work', name);
  }

  has(name: string): boolean {
    return fs.existsSync(path.join(this.dir, name));
  }

  text(name: string): string {
    return fs.readFileSync(path.join(this.dir, name), 'utf8');
  }

  data(name: string): Record<string, unknown> {
    return JSON.parse(this.text(name)) as Record<string, unknown>;
  }

  /** As a person would: a file of the packet, over what is there. */
  edit(name: string, change: (text: string) => string): void {
    fs.writeFileSync(path.join(this.dir, name), change(this.has(name) ? this.text(name) : ''));
  }

  /** One more line below `routing:` in its manifest. */
  route(line: string): void {
    this.edit('manifest.yaml', (text) => text.replace(/^ {2}intent: .*$/m, `$&\n  ${line}`));
  }

  /** Another value for a key of its manifest, also for one that stands there as a comment. */
  set(key: string, value: string | number): void {
    const line = new RegExp(`^( +)(?:# )?${key}: .*$`, 'm');
    this.edit('manifest.yaml', (text) => text.replace(line, `$1${key}: ${value}`));
  }

  /** A file of the project, with its folders. */
  put(name: string, text: string): void {
    fs.mkdirSync(path.dirname(path.join(this.root, name)), { recursive: true });
    this.write(name, text);
  }

  /** All files of the packet that are not docket's own. */
  files(): string[] {
    return fs
      .readdirSync(this.dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('state/docket') && fs.statSync(path.join(this.dir, name)).isFile())
      .toSorted();
  }

  override marks(): string[] {
    const journal = path.join(this.dir, 'state', 'docket', 'journal.jsonl');
    const text = fs.existsSync(journal) ? fs.readFileSync(journal, 'utf8') : '';
    return [...text.matchAll(/"mark":"(\w+)"/g)].map(([, mark = '']) => mark);
  }
}
