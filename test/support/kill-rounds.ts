import fs from 'node:fs';
import path from 'node:path';
import { findMarked } from '../../src/io/process/family.ts';
import { tempFolderOf } from '../../src/io/process/temp-folder.ts';
import { bin } from './child.ts';
import { endProcess, Project } from './project.ts';
import { scratch } from './scratch.ts';

/** A project whose agent works for a moment, and its diary. */
export class BriefProject extends Project {
  readonly cues: string;

  constructor(seconds: number, settings: object = {}) {
    const cues = scratch();
    const env = { CUES: cues, WORK: String(seconds) };
    super({
      agents: { brief: { adapter: 'command', command: [bin('brief-agent.sh')], env, ...settings } },
      defaultAgent: 'brief',
    });
    this.cues = cues;
  }

  /** Lines of the agents' own diary: what happened, to which task, in which attempt. */
  diary(): { what: string; name: string; attempt: string }[] {
    const file = path.join(this.cues, 'log');
    if (!fs.existsSync(file)) return [];
    return fs
      .readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([what = '', name = '', attempt = '']) => ({ what, name, attempt }));
  }

  /** Ends every agent, as a machine that loses its processes would. */
  endAgents(): void {
    for (const pid of this.leftovers()) endProcess(pid);
  }

  /** What must hold however often docket died: once done, once started per attempt, never two at once, nothing left. */
  async problems(names: readonly string[], agents: { killed: boolean }): Promise<string[]> {
    const { tasks } = await this.json('list');
    const found: string[] = [];
    const must = (holds: boolean, problem: string) => void (holds || found.push(problem));
    must(
      same(
        tasks.map(({ title }) => title),
        names.map((name) => `${name} please`),
      ),
      'other tasks than were queued',
    );
    for (const { title, status } of tasks) must(status === 'done', `${title}: ${status}`);
    const done = this.events('task.done').map(({ taskId }) => taskId);
    must(
      same(
        done,
        tasks.map(({ id }) => id),
      ),
      `done: ${done.join(' ')}`,
    );
    const diary = this.diary();
    const told = (what: string) => diary.filter((line) => line.what === what);
    for (const { name, attempt } of told('twice')) found.push(`two agents at once: ${name} ${attempt}`);
    const began = told('began').map(({ name, attempt }) => `${name} ${attempt}`);
    for (const again of repeated(began)) found.push(`started twice: ${again}`);
    // Where only docket died, its agents outlived it every time: nothing is paid for twice.
    const ended = told('ended').map(({ name }) => name);
    must(agents.killed || same(ended, names), `ended: ${ended.join(' ')}`);
    must(agents.killed || began.length === names.length, `began: ${began.join(', ')}`);
    const numbers = this.events('attempt.started').map(
      ({ taskId, data }) => `${taskId} ${String(data['n'])}`,
    );
    for (const again of repeated(numbers)) found.push(`a number twice: ${again}`);
    for (const mark of this.marks()) {
      must(findMarked(mark).length === 0, `processes of ${mark} are left`);
      must(!fs.existsSync(tempFolderOf(mark)), `the temporary folder of ${mark} is left`);
    }
    return found;
  }
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join('\n') === others.toSorted().join('\n');
}

function repeated(texts: readonly string[]): string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index);
}

export function exitOf(child: ReturnType<Project['start']>): Promise<number | null> {
  child.stdout?.resume();
  child.stderr?.resume();
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
