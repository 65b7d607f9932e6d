import type { Docket } from '../../src/project/api.ts';
import { openDocket } from '../../src/project/docket.ts';
import type { Task } from '../../src/task/schema.ts';
import { Project } from './project.ts';

/** A project whose agent plays a scenario (docs/script-agent.md), used through the app. */
export class ScriptProject extends Project {
  constructor(rules: readonly object[], config: object = {}) {
    super({
      agents: { play: { adapter: 'script', command: ['./.docket/scenario.yaml'] } },
      defaultAgent: 'play',
      ...config,
    });
    this.write('.docket/scenario.yaml', JSON.stringify({ rules }));
  }

  /** A new docket each time, as for a person's next command. */
  async open(): Promise<Docket> {
    return openDocket({ cwd: this.root, root: this.root, env: this.env });
  }

  /** Adds it, and runs it until it stops. */
  async ran(name: string, text: string, more: { workflow?: string } = {}): Promise<Task> {
    const docket = await this.open();
    await docket.add({ text, name, worktree: true, ...more });
    await docket.close();
    return this.run(name);
  }

  async run(name: string): Promise<Task> {
    const docket = await this.open();
    const [ran] = await docket.run({ tasks: [name], signal: AbortSignal.timeout(60_000) });
    await docket.close();
    if (!ran) throw new Error(`${name} did not run`);
    return ran.task;
  }
}
