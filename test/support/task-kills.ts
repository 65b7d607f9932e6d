import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { findMarked } from '../../src/io/process/family.ts';
import { tempFolderOf } from '../../src/io/process/temp-folder.ts';
import type { TaskDirectories } from '../../src/kinds/directory/directories.ts';
import { openDocket, type Docket } from '../../src/project/docket.ts';
import { bin } from './child.ts';
import { endProcess } from './project.ts';

const steps = ['one', 'two', 'asks', 'four', 'last'] as const;
/** How often each begins when nobody dies: the one that asks is told once, and tries again. */
const begins = { one: 1, two: 1, asks: 2, four: 1, last: 1 };

export const order = {
  kind: 'actions',
  source: 'a test',
  actions: JSON.stringify({
    sessionGoal: 'Five things, one of them with a question',
    tasks: steps.map((taskId) => ({
      taskId,
      title: `Do ${taskId}`,
      agent: 'worker',
      adapter: 'brief',
      prompt: `Do ${taskId}.`,
      ...(taskId === 'last' && { needs: ['one', 'asks'] }),
    })),
  }),
} as const;
export const answer = {
  kind: 'answer',
  gate: 'gate-asks',
  answer: { decision: 'approved', by: 'ann', note: 'paint it blue' },
} as const;
export const goOn = { kind: 'resume' } as const;
export type Command = typeof order | typeof answer | typeof goOn;

/** A project with one task directory, and the diary of its agents. */
export class KilledTask {
  readonly root: string;
  readonly id: string;
  readonly #cues: string;

  constructor(root: string, id: string, copyOf?: KilledTask) {
    this.root = root;
    this.id = id;
    this.#cues = path.join(root, 'cues');
    if (copyOf) fs.cpSync(copyOf.root, root, { recursive: true, preserveTimestamps: true });
    else fs.mkdirSync(this.#cues, { recursive: true });
    const agent = { adapter: 'command', command: [bin('task-agent.sh')], env: { CUES: this.#cues } };
    fs.mkdirSync(path.join(root, '.docket'), { recursive: true });
    fs.writeFileSync(path.join(root, '.docket', 'config.yaml'), JSON.stringify({ agents: { brief: agent } }));
  }

  async use<T>(what: (tasks: TaskDirectories, docket: Docket) => Promise<T>): Promise<T> {
    const docket = await openDocket({ cwd: this.root, root: this.root });
    try {
      return await what(await docket.tasks(), docket);
    } finally {
      await docket.close();
    }
  }

  file(name: string): string {
    return path.join(this.root, '.agentmesh', 'tasks', this.id, name);
  }

  log(): Buffer {
    return fs.readFileSync(this.file('events.jsonl'));
  }

  /** What a person does who knows nothing of the kill: looks where the task stands, and goes on from there. */
  async finish(): Promise<void> {
    await this.use(async (tasks, docket) => {
      for (let tries = 0; tries < 4; tries += 1) {
        const { task } = await tasks.show(this.id);
        const gate = task.run?.gates['gate-asks']?.state;
        const control = { signal: new AbortController().signal };
        if (gate === 'blocked' && task.status === 'blocked')
          await docket.answer(this.id, answer.gate, answer.answer);
        else if (task.run) await tasks.resume(this.id, control);
        else await tasks.run(this.id, { ...control, ...order });
        if (task.status === 'done') return; // and whoever came last has seen to the files
      }
    });
  }

  /** The joined summary but for its time: what every life has to come to. */
  summary(): unknown {
    const text = fs.readFileSync(this.file('shared/reports/joined-summary.json'), 'utf8');
    const { generatedAt: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return rest;
  }

  /** The files of the task directory, but for those of earlier attempts and what a dead process had not given a name yet. */
  files(): string[] {
    const names = fs.readdirSync(this.file('.'), { recursive: true, encoding: 'utf8' });
    return names.filter((name) => !/\/attempt-\d+(\/|$)|\.\d+(-\d+)?\.(docket-)?tmp$/.test(name)).toSorted();
  }

  #lines(): Line[] {
    const text = this.log().toString('utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  }

  marks(): string[] {
    return this.#lines().flatMap(({ docket, payload }) =>
      docket.type === 'attempt.started' ? [payload['mark'] as string] : [],
    );
  }

  /** With the agents that should have ended, where something went wrong. */
  remove(): void {
    for (const pid of this.marks().flatMap(findMarked)) endProcess(pid);
    fs.rmSync(this.root, { recursive: true, force: true });
  }

  /** What is wrong with the task at its end, given what a life without a kill came to. */
  async problems(reference: KilledTask, logAtDeath: Buffer): Promise<string[]> {
    const found: string[] = [];
    const must = (holds: boolean, problem: string) => void (holds || found.push(problem));
    must(
      isDeepStrictEqual(this.summary(), reference.summary()),
      `summary: ${JSON.stringify(this.summary())}`,
    );
    must(logAtDeath.equals(this.log().subarray(0, logAtDeath.length)), 'events.jsonl has other bytes');
    must(
      isDeepStrictEqual(this.files(), reference.files()),
      `files: ${odd(this.files(), reference.files())}`,
    );
    const lines = this.#lines();
    const facts = (type: string) => lines.filter(({ docket }) => docket.type === type);
    const ended = facts('step.ended').map(
      ({ payload }) => `${String(payload['step'])} ${String(payload['state'])}`,
    );
    const wanted = ['asks blocked', ...steps.map((step) => `${step} done`)];
    must(isDeepStrictEqual(ended.toSorted(), wanted.toSorted()), `ended: ${ended.join(', ')}`);
    for (const type of ['task.created', 'run.started', 'gate.opened', 'gate.answered', 'task.done'])
      must(facts(type).length === 1, `${facts(type).length} × ${type}`);
    const diary = fs.readFileSync(path.join(this.#cues, 'log'), 'utf8').trimEnd().split('\n');
    for (const [step, times] of Object.entries(begins)) {
      const began = diary.filter((line) => line.startsWith(`began ${step} `));
      must(began.length === times, `${step} began ${began.length} times`);
      must(new Set(began).size === began.length, `an attempt of ${step} began twice`);
    }
    for (const line of diary) must(!line.startsWith('twice'), line);
    for (const mark of this.marks()) {
      must(findMarked(mark).length === 0, `processes of ${mark} are left`);
      must(!fs.existsSync(tempFolderOf(mark)), `the temporary folder of ${mark} is left`);
    }
    const { state, roster } = parse(fs.readFileSync(this.file('task.yaml'), 'utf8')) as TaskYaml;
    must(state === 'completed', `task.yaml: ${state}`);
    must(
      isDeepStrictEqual(
        roster.map(({ instance }) => instance),
        [...steps],
      ),
      'roster',
    );
    for (const { path: file, message } of await this.use((tasks) => tasks.validate(this.id)))
      found.push(`${file}: ${message}`);
    return found;
  }
}

interface Line {
  docket: { type: string };
  payload: Record<string, unknown>;
}

interface TaskYaml {
  state: string;
  roster: { instance: string }[];
}

function odd(some: readonly string[], others: readonly string[]): string {
  const more = some.filter((name) => !others.includes(name));
  const less = others.filter((name) => !some.includes(name));
  return [...more.map((name) => `+${name}`), ...less.map((name) => `-${name}`)].join(' ');
}
