import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { Project } from './project.ts';
import { queueText, type RawRecord } from './queue-project.ts';
import { mirrorOf } from './scratch.ts';

/** One rule of the scripted agent: what it does in a step (docs/script-agent.md). */
export interface Part {
  step?: string;
  when?: string;
  attempt?: number;
  steps?: object[];
  turns?: object[][];
}

/** A part that says one thing. */
export const says = (step: string, text: string, ...before: object[]): Part => ({
  step,
  steps: [...before, { say: text }],
});

/** The same where there is one way on: such a step is asked for a report. */
export const reports = (step: string, summary: string, ...before: object[]): Part => ({
  step,
  steps: [...before, { report: { status: 'success', summary } }],
});

export const edits = (file: string, text: string): object => ({ edit: { path: file, write: text } });

/** A project whose agent follows a script, and whose tasks follow a workflow of several steps. */
export class WorkflowProject extends Project {
  constructor(parts: readonly Part[], settings: object = {}) {
    const demo = { adapter: 'script', command: ['./.docket/scenario.yaml'] };
    super({ agents: { demo }, defaultAgent: 'demo', ...settings });
    fs.mkdirSync(path.join(this.root, '.takt', 'workflows'), { recursive: true });
    this.script(parts);
  }

  /** What the agent does from now on. */
  script(parts: readonly Part[]): void {
    this.write('.docket/scenario.yaml', JSON.stringify({ rules: parts }));
  }

  workflow(name: string, steps: readonly object[], more: object = {}): void {
    this.write(`.takt/workflows/${name}.yaml`, JSON.stringify({ name, steps, ...more }));
  }

  task(name: string, workflow: string, more: object = {}): void {
    fs.writeFileSync(mirrorOf(this.root), queueText([{ name, piece: workflow, ...more }]));
  }

  record(): RawRecord | undefined {
    return (parse(fs.readFileSync(mirrorOf(this.root), 'utf8')) as { tasks: RawRecord[] }).tasks[0];
  }

  async show(name: string): Promise<Shown> {
    return JSON.parse((await this.docket('show', name, '--json')).out) as Shown;
  }

  /** The steps that a task took, each with the rule that led on. */
  async way(name: string): Promise<string[]> {
    const { steps } = await this.show(name);
    return steps.map(
      ({ step, state, chose }) => `${step} ${state}${chose ? `: ${chose.text} (${chose.by})` : ''}`,
    );
  }

  /** What the agent of a step was told, attempt by attempt. */
  prompts(step: string): string[] {
    const folder = this.#attemptsOf(step);
    const numbers = fs.readdirSync(folder).filter((name) => /^\d+$/.test(name));
    return numbers
      .toSorted((a, b) => Number(a) - Number(b))
      .map((n) => fs.readFileSync(path.join(folder, n, 'prompt'), 'utf8'));
  }

  /** The conversations of a task's scripted agent in which a step took place. */
  async sessionsOf(name: string, step: string): Promise<string[]> {
    const id = (await this.show(name)).id;
    const folder = path.join(this.root, '.docket', 'queue', 'attempts', id, 'sessions');
    return fs
      .readdirSync(folder)
      .filter((file) => fs.readFileSync(path.join(folder, file), 'utf8').includes(`"step":"${step}"`));
  }

  runFile(name: string): string {
    const runs = path.join(this.root, '.takt', 'runs');
    return fs.readFileSync(path.join(runs, fs.readdirSync(runs)[0] ?? 'there is none', name), 'utf8');
  }

  #attemptsOf(step: string): string {
    const attempts = path.join(this.root, '.docket', 'queue', 'attempts');
    return path.join(attempts, fs.readdirSync(attempts)[0] ?? 'there is none', step);
  }
}

interface Shown {
  id: string;
  task: {
    status: string;
    reason?: { kind: string; text: string };
    failure?: Record<string, string>;
    attempts: Record<string, { n: number; session?: string }>;
  };
  steps: { step: string; state: string; chose?: { text: string; by: string } }[];
}
