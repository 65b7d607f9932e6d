import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findMarked } from '../../src/io/process/family.ts';
import { tempFolderOf } from '../../src/io/process/temp-folder.ts';
import { openDocket } from '../../src/project/docket.ts';
import { answers, PacketAgents } from './packet-agent.ts';
import { endProcess } from './project.ts';

const id = 'p-1';
const stages = ['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review'] as const;
const diff = '```diff\n--- a/src/app.txt\n+++ b/src/app.txt\n@@ -1 +1 @@\n-Hi\n+Good day\n```\n';
/** What differs from life to life. */
const changing =
  /\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d:\d\d INFO|"duration_sec": \d+|duration: \d+s|^attempt \d+/gm;

/** A repository with one packet of four stages: its second answers with a diff, its third edits a file. */
export class KilledPacket {
  readonly id = id;
  readonly dir: string;
  readonly root: string;
  readonly env: Record<string, string>;
  readonly #agents: PacketAgents;

  constructor(dir: string, copyOf?: KilledPacket) {
    this.dir = dir;
    this.root = path.join(dir, 'root');
    this.env = { PATH: process.env['PATH'] ?? '', HOME: path.join(dir, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
    if (copyOf) fs.cpSync(copyOf.dir, dir, { recursive: true, preserveTimestamps: true });
    this.#agents = new PacketAgents(this.root);
    this.#agents.says(
      'brief',
      answers.brief.replace('## Verify Commands\n', '$&\n```sh\ntest -e src/app.txt\n```\n'),
    );
    this.#agents.says('impl', diff);
    this.#agents.does('verify', 'echo more >> src/more.txt');
  }

  /** Ready to be run for the first time. */
  static async made(dir: string): Promise<KilledPacket> {
    const made = new KilledPacket(dir);
    fs.mkdirSync(made.env['HOME'] as string);
    fs.mkdirSync(path.join(made.root, 'src'));
    fs.writeFileSync(path.join(made.root, 'src', 'app.txt'), 'Hi\n');
    fs.writeFileSync(path.join(made.root, '.gitignore'), '.docket\n.tmp\n');
    made.git('init', '--quiet');
    made.git('add', '.');
    made.git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', 'start');
    await made.use(async (packets) => {
      const lists = { allow: ['src/'], deny: [], commands: ['grep -q day src/app.txt'], criteria: [] };
      await packets.make({ id, goal: 'Greet politely', intent: 'safe_impl', ...lists });
    });
    return made;
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.root, env: this.env, encoding: 'utf8' });
  }

  async use<T>(what: (packets: Awaited<ReturnType<Docket['packets']>>) => Promise<T>): Promise<T> {
    const docket = await openDocket({ cwd: this.root, root: this.root, env: this.env });
    try {
      return await what(await docket.packets());
    } finally {
      await docket.close();
    }
  }

  /** What a person does who knows nothing of the kill. */
  async finish(): Promise<void> {
    await this.use((packets) => packets.run(id, { signal: new AbortController().signal }));
  }

  file(name: string): string {
    return path.join(this.root, '.tmp', 'task', id, name);
  }

  journal(): Buffer {
    const file = this.file('state/docket/journal.jsonl');
    return fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
  }

  #lines(): Line[] {
    return this.journal()
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line) as Line);
  }

  #marks(): string[] {
    return this.#lines().flatMap(({ type, data }) =>
      type === 'attempt.started' ? [data['mark'] as string] : [],
    );
  }

  /** The packet's files but for docket's own, without the times; and what came of the work. */
  outcome(): Record<string, string> {
    const names = fs.readdirSync(this.file('.'), { recursive: true, encoding: 'utf8' });
    const own = (name: string) =>
      name.startsWith('state/docket') || /\.\d+(-\d+)?\.(docket-)?tmp$/.test(name);
    const found = names
      .filter((name) => !own(name) && fs.statSync(this.file(name)).isFile())
      .map((name) => [name, fs.readFileSync(this.file(name), 'utf8').replaceAll(changing, '…')] as const);
    const work = ['src/app.txt', 'src/more.txt'].map(
      (name) => [`/${name}`, fs.readFileSync(path.join(this.root, name), 'utf8')] as const,
    );
    return Object.fromEntries([...found, ...work, ['/changes', this.git('status', '--porcelain')]]);
  }

  /** What is wrong with it at its end, given what a life without a kill came to. */
  problems(reference: Record<string, string>, journalAtDeath: Buffer): string[] {
    const found: string[] = [];
    const must = (holds: boolean, problem: string) => void (holds || found.push(problem));
    const outcome = this.outcome();
    for (const name of new Set([...Object.keys(reference), ...Object.keys(outcome)]))
      must(outcome[name] === reference[name], `${name} differs: ${odd(outcome[name], reference[name])}`);
    must(
      journalAtDeath.equals(this.journal().subarray(0, journalAtDeath.length)),
      'the journal has other bytes',
    );
    const lines = this.#lines();
    const ended = lines.flatMap(({ type, data }) =>
      type === 'step.ended' ? [`${String(data['step'])} ${String(data['state'])}`] : [],
    );
    const wanted = stages.map((stage) => `${stage} done`);
    must(isDeepStrictEqual(ended, wanted), `ended: ${ended.join(', ')}`);
    for (const type of ['task.created', 'run.started', 'task.done']) {
      const times = lines.filter((line) => line.type === type).length;
      must(times === 1, `${times} × ${type}`);
    }
    const diary = ['brief', 'impl', 'verify', 'review'].flatMap((role) => [`began ${role}`, `ended ${role}`]);
    must(isDeepStrictEqual(this.#agents.diary(), diary), `diary: ${this.#agents.diary().join(', ')}`);
    for (const stage of stages) {
      const [tool, role] = stage.split('_') as [string, keyof typeof answers];
      const told =
        this.#agents.told(role) === fs.readFileSync(this.file(`inputs/prompt/${tool}.${role}.md`), 'utf8');
      must(told, `${stage} was told something else than its prompt file says`);
    }
    for (const mark of this.#marks()) {
      must(findMarked(mark).length === 0, `processes of ${mark} are left`);
      must(!fs.existsSync(tempFolderOf(mark)), `the temporary folder of ${mark} is left`);
    }
    return found;
  }

  /** With the agents that should have ended, where something went wrong. */
  remove(): void {
    for (const pid of this.#marks().flatMap(findMarked)) endProcess(pid);
    fs.rmSync(this.dir, { recursive: true, force: true });
  }
}

/** The first line that is not as it should be. */
function odd(text = '', wanted = ''): string {
  const other = wanted.split('\n');
  return text.split('\n').find((line, at) => line !== other[at]) ?? 'it ends too early';
}

type Docket = Awaited<ReturnType<typeof openDocket>>;

interface Line {
  type: string;
  data: Record<string, unknown>;
}
