import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { bin, ended } from '../support/child.ts';
import { Project } from '../support/project.ts';
import { scratch } from '../support/scratch.ts';

const kills = 60;
const each = 4;
const names = (kind: string): string[] => Array.from({ length: each }, (_, n) => `${kind}${n + 1}`);

/** All kinds of tasks in one repository that ignores none of docket's folders. */
class MixedProject extends Project {
  readonly #diary: string;
  readonly #runs = new Map<string, ChildProcess>();

  constructor() {
    const dir = scratch();
    const env = { MIXED_DIARY: path.join(dir, 'diary.jsonl') };
    const command = [bin('mixed-agent.mjs')];
    super({
      agents: {
        mine: { adapter: 'command', command, env },
        codex: { adapter: 'codex', command, env },
      },
      defaultAgent: 'mine',
    });
    this.#diary = env.MIXED_DIARY;
    fs.writeFileSync(this.#diary, '');
    this.write('README.md', 'version 0\n');
    fs.mkdirSync(path.join(this.root, 'configs/pipeline'), { recursive: true });
    this.write('configs/pipeline/impl-pipeline.yaml', 'profiles:\n  quick: { stages: [codex_impl] }\n');
    this.git('add', '--all');
    this.git('commit', '--quiet', '-m', 'base');
    onTestFinished(() => {
      for (const child of this.#runs.values()) child.kill('SIGKILL');
    });
  }

  /** Starts a command until it has ended well; `ways` by turns, because what was begun is resumed by another one. */
  async insist(name: string, ways: string[][], isOver: (code: number) => Promise<boolean>): Promise<void> {
    for (let [tries, failures] = [0, 0]; ; tries += 1) {
      const child = this.start(...(ways[tries % ways.length] ?? []));
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-2000)));
      this.#runs.set(name, child);
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
      this.#runs.delete(name);
      if (code !== null && (await isOver(code))) return;
      // Others at work can be in the way for a while.
      if (code !== null && (failures += 1) > 20) throw new Error(`${name} ended with ${code}: ${said}`);
      await sleep(50);
    }
  }

  /** Kills one of the commands that run. False: none does at this moment. */
  killOne(random: () => number): boolean {
    const running = [...this.#runs.values()];
    return running[Math.floor(random() * running.length)]?.kill('SIGKILL') ?? false;
  }

  diary(): { what: string; file: string }[] {
    const lines = fs.readFileSync(this.#diary, 'utf8').trimEnd().split('\n');
    return lines
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { what: string; file: string });
  }
}

/** The same row for the same seed, so that a failure can be played again. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

async function must(project: MixedProject, ...args: string[]): Promise<string> {
  const child = project.start(...args);
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const { code, out } = await ended(child);
  if (code !== 0) throw new Error(`docket ${args.join(' ')} ended with ${code}: ${said}`);
  return out;
}

/** Commands that are answered at once, one after the other: what was acknowledged must be there at the end. */
async function chatter(project: MixedProject, over: AbortSignal) {
  const said: string[] = [];
  const added: string[] = [];
  for (let n = 1; !over.aborted; n += 1) {
    project.write('README.md', `version ${n}\n`); // a person edits meanwhile
    await must(project, 'say', `create task: Chatter ${n}`);
    said.push(`Chatter ${n}`);
    if (n % 3 === 0) {
      await must(project, 'add', `FILE:late/l${n}.txt`, '--name', `l${n}`, '--worktree', '--quiet');
      added.push(`l${n}`);
    }
    expect(project.read('README.md')).toBe(`version ${n}\n`);
    await sleep(300);
  }
  return { said, added };
}

it('kinds of tasks at once, killed 60 times: nothing is lost, doubled, or undone by others', async () => {
  const seed = Number(process.env['DOCKET_SEED'] ?? Date.now() % 1_000_000);
  console.log(`DOCKET_SEED=${seed}`);
  const random = randomFrom(seed);
  const project = new MixedProject();
  const [queued, packets, directories] = [names('q'), names('p'), names('d')];
  for (const name of queued)
    await must(project, 'add', `FILE:queue/${name}.txt`, '--name', name, '--worktree', '--quiet');
  for (const name of packets) {
    const scope = ['--allow', `packets/${name}/`, '--command', `test -f packets/${name}/out.txt`];
    const goal = `FILE:packets/${name}/out.txt`;
    await must(project, 'packet', 'new', '--id', name, '--intent', 'quick', '--goal', goal, ...scope);
  }
  const ids = new Map<string, string>();
  for (const name of directories) {
    const made = JSON.parse(
      await must(project, 'task', 'create', '--title', name, '--topology', 'swarm', '--json'),
    );
    ids.set(name, (made as { id: string }).id);
    const worker = {
      taskId: 'w1',
      title: name,
      agent: 'a',
      adapter: 'mine',
      prompt: `FILE:mesh/${name}.txt`,
    };
    project.write(`${name}.json`, JSON.stringify({ sessionGoal: name, tasks: [worker] }));
  }
  await must(project, 'board', 'init', '--quiet');
  for (const folder of ['.docket', '.takt', '.tmp', 'state', '.agentmesh'])
    fs.rmSync(path.join(project.root, folder, '.gitignore'), { force: true });

  const over = new AbortController();
  const talk = chatter(project, over.signal);
  talk.catch(() => undefined); // told where it is awaited
  const isDone = async (code: number) => code === 0;
  const statusOf = async (name: string) => {
    const shown = JSON.parse(await must(project, 'task', 'show', ids.get(name) ?? '', '--json'));
    return (shown as { status: string }).status;
  };
  const work = [
    project.insist('queue', [['run', '--concurrency', '2', '--quiet']], isDone),
    ...packets.map((name) => project.insist(name, [['packet', 'run', name, '--quiet']], isDone)),
    ...directories.map((name) => {
      const id = ids.get(name) ?? '';
      const ways = [
        ['task', 'run', id, '--actions', `${name}.json`],
        ['task', 'resume', id],
      ];
      return project.insist(name, ways, async () => (await statusOf(name)) === 'done');
    }),
  ];
  const finished = Promise.all(work).then(() => true);
  let killed = 0;
  while (killed < kills && !(await Promise.race([finished, sleep(random() * 400, false)])))
    if (project.killOne(random)) killed += 1;
  await finished;
  expect(killed).toBe(kills);
  over.abort();
  const { said, added } = await talk;
  await project.insist('the rest', [['run', '--quiet']], isDone);

  console.log(`${killed} kills, ${project.diary().filter(({ what }) => what === 'ended').length} calls`);
  const { tasks } = await project.json('list', '--all');
  const status = new Map(tasks.map((task) => [task.title.replace(/^FILE:\w+\/|\.txt$/g, ''), task.status]));
  for (const name of [...queued, ...added]) expect([name, status.get(name)]).toEqual([name, 'done']);
  for (const name of packets)
    expect(project.read(`packets/${name}/out.txt`)).toBe(`made for packets/${name}/out.txt\n`);
  for (const name of directories) {
    expect([name, await statusOf(name)]).toEqual([name, 'done']);
    expect(project.read(`mesh/${name}.txt`)).toBe(`made for mesh/${name}.txt\n`);
  }
  const board = project.read('state/tasks.jsonl');
  for (const text of said) expect([text, board.includes(JSON.stringify(text))]).toEqual([text, true]);
  // Agents outlive a docket that is killed, and the next one takes them over: no call is paid for twice.
  const calls = project.diary().filter(({ what }) => what === 'began');
  expect(calls.map(({ file }) => file).toSorted()).toEqual(
    [...new Set(calls.map(({ file }) => file))].toSorted(),
  );
  expect(project.leftovers()).toEqual([]);
});
