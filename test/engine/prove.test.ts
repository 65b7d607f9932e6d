import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBook } from '../../src/engine/evidence-book.ts';
import { Prover } from '../../src/engine/prove.ts';
import type { ProveOptions } from '../../src/engine/proving.ts';
import type { Step } from '../../src/task/run.ts';
import type { Task } from '../../src/task/schema.ts';
import { TestRepository } from '../support/repository.ts';
import { queued } from '../surfaces/cli/fake-world.ts';

const never = new AbortController().signal;
const begun = '2026-03-01T10:00:00.000Z';

/** A task of one step, which has handed in this report. */
function taskOf(id: string, report: object = {}, more: Partial<Task['spec']> = {}): Task {
  const step: Step = { id: 'work', kind: 'work', title: 'work', role: 'coder', agent: 'sh', needs: [] };
  return queued({
    id,
    spec: { body: '', ...more },
    attempts: { work: { n: 1, step: 'work', agent: 'sh', adapter: 'command', mark: 'm', startedAt: begun } },
    run: {
      n: 1,
      goal: '',
      startedAt: begun,
      steps: [step],
      rounds: [0],
      orders: [''],
      states: { work: { state: 'done', since: begun, report: { status: 'success', ...report } } },
      gates: {},
    },
  });
}

/** A repository, and provers of its tasks as a docket would make them. */
class Lab extends TestRepository {
  commands: string[] = ['grep -q good a.txt'];

  constructor() {
    super({ 'a.txt': 'good\n', 'src/b.txt': 'b\n', '.gitignore': '.docket\n*.secret\nran\n' });
  }

  folder(id: string): string {
    return this.place(`.docket/evidence/${id}`);
  }

  async prover(id: string, more: Partial<ProveOptions> = {}): Promise<Prover> {
    const made = (name: string) => {
      fs.mkdirSync(name, { recursive: true });
      return name;
    };
    const prover = new Prover({
      cwd: this.root,
      root: this.root,
      folder: () => made(this.folder(id)),
      scratch: () => path.join(made(this.place('.docket')), 'scratch'),
      commands: () => this.commands,
      now: () => Date.parse(begun) + 1000,
      name: id,
      goOn: `docket retry ${id}`,
      ...more,
    });
    await prover.begin();
    return prover;
  }
}

/** What an agent of codex printed that ran these, each with its exit code. */
function codexLog(lab: Lab, runs: Readonly<Record<string, number>>): string {
  const items = Object.entries(runs).map(([command, exit_code], at) => ({
    type: 'item.completed',
    item: { id: `i${at}`, type: 'command_execution', command: `bash -lc '${command}'`, exit_code },
  }));
  const thread = { type: 'thread.started', thread_id: '0f5a1c1e-0000-4000-8000-000000000001' };
  const lines = [thread, ...items].map((line) => `${JSON.stringify(line)}\n`);
  fs.mkdirSync(lab.place('.docket/log'), { recursive: true });
  lab.write('.docket/log/events.jsonl', lines.join(''));
  return lab.place('.docket/log');
}

const how = { signal: never, env: process.env };
const told = (verdict: Awaited<ReturnType<Prover['prove']>>): string =>
  verdict.kind === 'hold' ? `${verdict.reason.kind}: ${verdict.reason.text}` : verdict.kind;

describe('the evidence of a task', () => {
  it('counts on the same tree, and not after a change', async () => {
    const lab = new Lab();
    lab.commands = ['echo x >> ran; grep -q good a.txt'];
    const prover = await lab.prover('one');
    const task = taskOf('one');
    const ran = () => lab.read('ran').split('\n').length - 1;
    expect([told(await prover.prove(task, how)), ran()]).toEqual(['pass', 1]);
    expect([told(await prover.prove(task, how)), ran()]).toEqual(['pass', 1]);
    lab.write('src/b.txt', 'another\n');
    expect([told(await prover.prove(task, how)), ran()]).toEqual(['pass', 2]);
    lab.write('src/b.txt', 'b\n');
    expect([told(await prover.prove(task, how)), ran()]).toEqual(['pass', 2]); // as it was when that was seen
    const later = {
      ...task,
      attempts: { work: { ...task.attempts!['work']!, startedAt: '2026-03-02T00:00:00Z' } },
    };
    expect([told(await prover.prove(later, how)), ran()]).toEqual(['pass', 3]);
  });

  it('of another task, or made by an agent, is refused and named', async () => {
    const lab = new Lab();
    expect(told(await (await lab.prover('good')).prove(taskOf('good'), how))).toBe('pass');
    lab.write('a.txt', 'bad\n');
    const prover = await lab.prover('one');
    fs.cpSync(lab.folder('good'), lab.folder('one'), { recursive: true });
    const tree = /^[0-9a-f]{12}-/.exec(readBook(lab.folder('good'))[0]?.tree ?? '')?.[0];
    expect(tree).toBeDefined();
    const forged = readBook(lab.folder('good')).map((entry) => ({ ...entry, taskId: 'one' }));
    fs.appendFileSync(path.join(lab.folder('one'), 'evidence.jsonl'), `${JSON.stringify(forged[0])}\n`);
    expect(told(await prover.prove(taskOf('one'), how))).toMatch(/^verify: `grep -q good a.txt` ended/);
    const notes = readBook(lab.folder('one')).map(({ note = '' }) => note);
    expect(notes.at(-1)).toMatch(/^refused: .*of task good.*changed after it was made/);
  });

  it('does not count when its output is another, and is made anew', async () => {
    const lab = new Lab();
    lab.commands = ['echo "12 tests"'];
    const prover = await lab.prover('one');
    await prover.prove(taskOf('one'), how);
    const [{ output } = {}] = readBook(lab.folder('one'));
    fs.writeFileSync(path.join(lab.folder('one'), output?.file ?? ''), '99 tests\n');
    expect(told(await prover.prove(taskOf('one'), how))).toBe('pass');
    expect(fs.readFileSync(path.join(lab.folder('one'), output?.file ?? ''), 'utf8')).toBe('12 tests\n');
  });

  it('tells what the commands changed, and holds that to the scope as well', async () => {
    const lab = new Lab();
    lab.commands = ['echo made > made.txt'];
    const scope = { allow: ['src'], deny: [] };
    const verdict = await (await lab.prover('one')).prove(taskOf('one', {}, { scope }), how);
    expect(told(verdict)).toMatch(
      /^scope: out of scope: made\.txt is not in scope\.allow[^]*docket retry one$/,
    );
    expect(readBook(lab.folder('one')).map(({ note }) => note)).toContainEqual(
      expect.stringMatching(/^the commands changed the tree/),
    );
  });

  it('is about what the task changed, and not about what people did in between', async () => {
    const lab = new Lab();
    lab.commands = [];
    const task = taskOf('one', {}, { scope: { allow: ['src'], deny: [] } });
    const first = await lab.prover('one');
    lab.write('src/b.txt', 'new\n');
    lab.write('outside.txt', 'x\n');
    expect(told(await first.prove(task, how))).toMatch(/^scope: out of scope: outside\.txt/);
    await first.end(task);
    fs.rmSync(lab.place('outside.txt'));
    lab.write('mine.txt', 'a person wrote this\n');
    const second = await lab.prover('one');
    expect(told(await second.prove(task, how))).toBe('pass');
  });

  it('says where there is no git that it cannot tell', async () => {
    const lab = new Lab();
    fs.rmSync(lab.place('.git'), { recursive: true });
    const report = { changes: ['src/b.txt: changed'], evidence: [{ kind: 'file', ref: 'nowhere.txt' }] };
    expect(told(await (await lab.prover('one')).prove(taskOf('one', report), how))).toMatch(
      /^verify: the report does not match what docket found: nowhere\.txt: it does not exist/,
    );
  });
});

describe('what a report claims', () => {
  it.each<[string, object, (lab: Lab) => void, string]>([
    ['a changed file', { changes: ['src/b.txt: x'] }, (lab) => lab.write('src/b.txt', 'x'), 'pass'],
    ['one by its last name', { changes: ['b.txt: x'] }, (lab) => lab.write('src/b.txt', 'x'), 'pass'],
    ['a deleted file', { changes: ['a.txt: gone'] }, (lab) => fs.rmSync(lab.place('a.txt')), 'pass'],
    ['a committed one', { changes: ['c.txt: x'] }, (lab) => (lab.write('c.txt', 'x'), lab.commit()), 'pass'],
    [
      'one that git ignores',
      { changes: ['k.json: x'], artifacts: { touchedFiles: ['k.secret'] } },
      (lab) => (lab.write('k.secret', 'x'), lab.write('k.json', '')),
      'pass',
    ],
    [
      'a command that docket did not run',
      { evidence: [{ kind: 'command', ref: 'make' }] },
      () => undefined,
      'pass',
    ],
    ['nothing', {}, () => undefined, 'pass'],
    [
      'a file that nobody changed',
      { changes: ['a.txt: x'] },
      (lab) => lab.write('src/b.txt', 'x'),
      'a.txt: it is there, and was not changed',
    ],
    ['changes, and there are none', { changes: ['all better'] }, () => undefined, 'nothing was changed'],
  ])('is held against the tree: %s', async (_, report, work, expected) => {
    const lab = new Lab();
    lab.commands = [];
    const prover = await lab.prover('one');
    work(lab);
    expect(told(await prover.prove(taskOf('one', report), how))).toContain(expected);
  });

  it.each<[string, string, Record<string, number>, string]>([
    ['codex', 'it ran', { 'cd src && make': 0 }, 'pass'],
    [
      'codex',
      'nobody ran',
      { ls: 0 },
      'verify: the report does not match what docket found: make: nobody ran it',
    ],
    ['codex', 'it may have told an open shell', { bash: 0 }, 'pass'],
    [
      'codex',
      'failed',
      { make: 2 },
      'verify: the report does not match what docket found: make: it failed when',
    ],
    ['acp', 'it may have run: this one tells what it likes', { ls: 0 }, 'pass'],
    ['command', 'it may have run: this one tells nothing', {}, 'pass'],
  ])('is held against what an agent of %s told: a command that %s', async (adapter, _, runs, expected) => {
    const lab = new Lab();
    lab.commands = [];
    const dir = codexLog(lab, runs);
    const logs = () => [{ step: 'work', attempt: 1, dir: () => dir, adapter }];
    const prover = await lab.prover('one', { logs });
    const task = taskOf('one', { evidence: [{ kind: 'command', ref: 'make' }] });
    expect(told(await prover.prove(task, how))).toContain(expected);
    // A log that is spoilt says nothing against anybody.
    fs.rmSync(path.join(dir, 'events.jsonl'));
    fs.symlinkSync('/dev/zero', path.join(dir, 'events.jsonl'));
    expect(told(await prover.prove(task, how))).toBe('pass');
  });
});
