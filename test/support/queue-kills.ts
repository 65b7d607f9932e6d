import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { findMarked } from '../../src/io/process/family.ts';
import { tempFolderOf } from '../../src/io/process/temp-folder.ts';
import { openDocket } from '../../src/project/docket.ts';
import { bin } from './child.ts';
import { endProcess } from './project.ts';
import { queueText, type RawRecord } from './queue-project.ts';
import { journalOf, mirrorOf } from './scratch.ts';

/** What its steps come to when nobody dies: a circle, and in it two at once. */
const way = ['plan', 'work', 'wide', 'near', 'reviews', 'work--2', 'wide--2', 'near--2', 'reviews--2'];
const byAgents = way.filter((step) => !step.startsWith('reviews'));

const part = (name: string) => ({
  name,
  instruction: 'Look at it.',
  edit: false,
  rules: [{ condition: 'approved' }, { condition: 'rejected' }],
});
const step = (name: string, next: string, edit: boolean) => ({
  name,
  instruction: 'Do your part.',
  edit,
  rules: [
    { condition: 'done', next },
    { condition: 'impossible', next: 'ABORT' },
  ],
});
const workflow = {
  name: 'circle',
  steps: [
    step('plan', 'work', false),
    step('work', 'reviews', true),
    {
      name: 'reviews',
      parallel: [part('wide'), part('near')],
      rules: [
        { condition: 'all("approved")', next: 'COMPLETE' },
        { condition: 'any("rejected")', next: 'work' },
      ],
    },
  ],
};

/** A repository with one task in its queue, and the diary of its agents. */
export class KilledQueue {
  readonly root: string;
  readonly #cues: string;

  constructor(root: string) {
    this.root = root;
    this.#cues = path.join(root, '.docket', 'cues');
    fs.mkdirSync(this.#cues, { recursive: true });
    fs.mkdirSync(path.join(root, '.takt', 'workflows'), { recursive: true });
    const agent = { adapter: 'command', command: [bin('queue-agent.sh')], env: { CUES: this.#cues } };
    this.#write('.docket/config.yaml', JSON.stringify({ agents: { sh: agent }, defaultAgent: 'sh' }));
    this.#write('.takt/workflows/circle.yaml', JSON.stringify(workflow));
    this.#write('.takt/tasks.yaml', queueText([{ name: 'it', piece: 'circle', worktree: true }]));
    this.#write('.gitignore', '.docket\n.takt\n');
    this.#git('init', '--quiet', '--initial-branch=main');
    this.#git('add', '.gitignore');
    this.#git(
      '-c',
      'user.name=test',
      '-c',
      'user.email=test@example.com',
      'commit',
      '--quiet',
      '-m',
      'start',
    );
  }

  #write(name: string, text: string): void {
    fs.writeFileSync(path.join(this.root, name), text);
  }

  #git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.root, encoding: 'utf8' }).trimEnd();
  }

  journal(): Buffer {
    return fs.existsSync(journalOf(this.root)) ? fs.readFileSync(journalOf(this.root)) : Buffer.alloc(0);
  }

  /** What a person does who knows nothing of the kill. Once may not be enough: what was put back waits for the next run. */
  async finish(): Promise<void> {
    for (let tries = 0; tries < 3; tries += 1) {
      const docket = await openDocket({ cwd: this.root, root: this.root });
      try {
        await docket.run({ signal: new AbortController().signal });
      } finally {
        await docket.close();
      }
      if (this.#record()?.status === 'completed') return;
    }
  }

  #record(): RawRecord | undefined {
    return (parse(fs.readFileSync(mirrorOf(this.root), 'utf8')) as { tasks: RawRecord[] }).tasks[0];
  }

  #events(type: string): Line[] {
    const lines = this.journal().toString('utf8').trimEnd().split('\n').slice(1);
    return lines.map((line) => JSON.parse(line) as Line).filter((line) => line.type === type);
  }

  #marks(): string[] {
    return this.#events('attempt.started').map(({ data }) => data['mark'] as string);
  }

  /** The files of its run, without the numbers of attempts. One more docket means one more log. */
  #runFiles(): string[] {
    const folder = path.join(this.root, '.takt', 'runs');
    const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const kept = names.filter((name) => !/\/logs\/|\.docket-tmp$/.test(name));
    return kept.map((name) => name.replace(/\.\d+\.md$/, '.md')).toSorted();
  }

  /** What is wrong with it at its end, given what a life without a kill came to. */
  problems(reference: KilledQueue, journalAtDeath: Buffer): string[] {
    const found: string[] = [];
    const must = (holds: boolean, problem: string) => void (holds || found.push(problem));
    const same = (what: string, some: unknown, wanted: unknown) =>
      must(isDeepStrictEqual(some, wanted), `${what}: ${JSON.stringify(some)}`);
    const record = this.#record();
    must(record?.status === 'completed', `tasks.yaml: ${record?.status}`);
    must(
      journalAtDeath.equals(this.journal().subarray(0, journalAtDeath.length)),
      'the journal has other bytes',
    );
    const ended = this.#events('step.ended').map(
      ({ data }) => `${String(data['step'])} ${String(data['state'])}`,
    );
    same('ended', ended.toSorted(), way.map((name) => `${name} done`).toSorted());
    for (const type of ['task.created', 'task.done']) same(type, this.#events(type).length, 1);
    const diary = fs.readFileSync(path.join(this.#cues, 'log'), 'utf8').trimEnd().split('\n');
    // An attempt that was written down and never began has a number, and that is all.
    const wanted = byAgents.flatMap((name) => [`began ${name}`, `ended ${name}`]);
    same('diary', diary.map((line) => line.replace(/ \d+$/, '')).toSorted(), wanted.toSorted());
    const branches = this.#git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');
    same('branches', branches.toSorted(), ['main', String(record?.['branch'])]);
    const files = this.#git('ls-tree', '--name-only', String(record?.['branch'])).split('\n');
    same('files', files, ['.gitignore', 'work.txt']);
    if (files.includes('work.txt'))
      same('work', this.#git('show', `${String(record?.['branch'])}:work.txt`), 'work\nwork--2');
    same('commits', this.#git('rev-list', '--count', `main..${String(record?.['branch'])}`), '1');
    same('the root', this.#git('status', '--porcelain'), '');
    same('files of the run', this.#runFiles(), reference.#runFiles());
    for (const mark of this.#marks()) {
      must(findMarked(mark).length === 0, `processes of ${mark} are left`);
      must(!fs.existsSync(tempFolderOf(mark)), `the temporary folder of ${mark} is left`);
    }
    return found;
  }

  /** With the agents that should have ended, where something went wrong. */
  remove(): void {
    for (const pid of this.#marks().flatMap(findMarked)) endProcess(pid);
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

interface Line {
  type: string;
  data: Record<string, unknown>;
}
