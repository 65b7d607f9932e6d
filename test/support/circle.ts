import fs from 'node:fs';
import path from 'node:path';
import { openDocket } from '../../src/project/docket.ts';
import type { Task } from '../../src/task/schema.ts';
import { recordText } from './queue-project.ts';
import { report, ShellProject } from './shell-project.ts';

const implement = { name: 'implement', edit: true, rules: [{ condition: 'made', next: 'review' }] };
const fix = { name: 'fix', edit: true, rules: [{ condition: 'mended', next: 'review' }] };
const review = {
  name: 'review',
  edit: false,
  rules: [
    { condition: 'approved', next: 'COMPLETE' },
    { condition: 'needs work', next: 'fix' },
  ],
};
const steps = [implement, fix, review].map((step) => ({ ...step, instruction: 'As you know.' }));

/** Writes hello.txt; and says that it did something. */
export const writes = (text: string): string => `printf '%s\\n' '${text}' > hello.txt\n${report()}`;
export const doesNothing = report({ summary: 'I did what I was told, $RANDOM times.' });
export const finds = (text: string): string => `echo '${text} [REVIEW:2]'`;
export const agrees = `echo 'It is as it should be. [REVIEW:1]'`;

/** What the agent does at each pass through a step; the last one stays. */
export interface Passes {
  implement?: string;
  fix: readonly string[];
  review: readonly string[];
}

/** A task whose reviewer and fixer may turn in circles, with an agent of a few lines of shell. */
export class CircleProject extends ShellProject {
  constructor(
    { implement: first = writes('hello'), fix: fixes, review: reviews }: Passes,
    settings: object = {},
  ) {
    const passes = (name: string, all: readonly string[]) =>
      all.map((script, at) => {
        const step = at === 0 ? name : `${name}--${at + 1}`;
        return `${at === all.length - 1 ? `${step}|${name}*` : step}) ${script};;\n`;
      });
    const cases = [`implement) ${first};;\n`, ...passes('fix', fixes), ...passes('review', reviews)];
    super(`case "$DOCKET_STEP" in\n${cases.join('')}esac`);
    const config = JSON.parse(this.read('.docket/config.yaml')) as object;
    this.write('.docket/config.yaml', JSON.stringify({ ...config, ...settings }));
    fs.mkdirSync(path.join(this.root, '.takt', 'workflows'), { recursive: true });
    this.write(
      '.takt/workflows/circle.yaml',
      JSON.stringify({ name: 'circle', steps, initial_step: 'implement' }),
    );
  }

  /** Runs it, as another process would. */
  async ran(more: object = {}): Promise<Task> {
    if (!fs.existsSync(path.join(this.root, '.takt/tasks.yaml')))
      this.write('.takt/tasks.yaml', `tasks:\n${recordText({ name: 'greet', piece: 'circle', ...more })}`);
    return this.run();
  }

  async run(...tasks: string[]): Promise<Task> {
    const docket = await openDocket({ cwd: this.root, root: this.root, env: this.env });
    try {
      const named = tasks.length > 0 && { tasks };
      const [done] = await docket.run({ ...named, signal: new AbortController().signal });
      if (!done) throw new Error('nothing was run');
      return done.task;
    } finally {
      await docket.close();
    }
  }
}

export function stepsOf({ run }: Task): string {
  return run?.steps.map(({ id }) => id).join(' ') ?? '';
}

export function whyOf(task: Task): string {
  return task.status === 'blocked' ? `${task.reason.kind}: ${task.reason.text}` : task.status;
}
