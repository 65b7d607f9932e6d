import { openDocket } from '../../src/project/docket.ts';
import type { Task } from '../../src/task/schema.ts';
import { inFolder } from '../surfaces/cli/real-world.ts';
import { reports, WorkflowProject, type Part } from './queue-workflow.ts';

/** What a call of its agent uses, beside its time. */
export const used = { usage: { input: 100, output: 10, cost: 0.4 } };
const twoCalls = [reports('first', 'done', used, { wait: 0.2 }), reports('second', 'done', used)];

/** A task of two steps, one call each, unless its agent is told otherwise. */
export class BudgetProject extends WorkflowProject {
  constructor(budgets: object, parts: readonly Part[] = twoCalls, settings: object = {}) {
    super(parts, { durability: 'relaxed', budgets, ...settings });
    const next = { first: 'second', second: 'COMPLETE' };
    const steps = Object.entries(next).map(([name, to]) => {
      return { name, instruction: 'As you know.', rules: [{ condition: 'it is done', next: to }] };
    });
    this.workflow('two', steps);
  }

  /** The task as it is when nothing more can be done. */
  async ran(): Promise<Task> {
    const docket = await openDocket({ cwd: this.root, root: this.root, env: this.env });
    try {
      await docket.run({ signal: new AbortController().signal });
      const [task] = (await docket.list({})).tasks;
      if (!task) throw new Error('there is no task');
      return task;
    } finally {
      await docket.close();
    }
  }

  /** Does what a person is told to do, with this number. */
  async raises(told: string, number: number): Promise<void> {
    const raise = /raise it \(docket ([^,)]+)/.exec(told)?.[1];
    if (raise === undefined) throw new Error(`nobody says how to raise it: ${told}`);
    await this.does(raise.replace('NUMBER', String(number)));
  }

  async does(words: string): Promise<void> {
    const { code, stdout, stderr } = await inFolder(this.root, words.split(' '), { env: this.env });
    if (code !== 0) throw new Error(`docket ${words}: ${stdout}${stderr}`);
  }

  calls(): number {
    return this.events('attempt.started').length;
  }
}
