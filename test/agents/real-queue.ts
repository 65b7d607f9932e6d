import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { TaskDetails } from '../../src/kinds/queue/show.ts';
import { Project } from '../support/project.ts';
import { startModel, type Model } from './model/server.ts';
import type { Scenario } from './model/step.ts';
import { commandOf, type Setup } from './setup/setup.ts';

/** A queue in a repository whose agents are the real CLIs; the first of them is the default. */
export class RealQueue extends Project {
  readonly model: Model;

  private constructor(setups: readonly Setup[], model: Model) {
    super({});
    this.model = model;
    const agents = setups.map((setup) => {
      const env = setup.prepare(this.home, model.url);
      const settings = { adapter: setup.name, command: commandOf(setup.name), env };
      return [
        setup.name,
        setup.model === undefined ? settings : { ...settings, model: setup.model },
      ] as const;
    });
    const config = { agents: Object.fromEntries(agents), defaultAgent: setups[0]?.name };
    this.write('.docket/config.yaml', JSON.stringify(config));
  }

  static async with(setups: readonly Setup[], scenario: Scenario): Promise<RealQueue> {
    const model = await startModel(scenario);
    onTestFinished(() => model.close());
    return new RealQueue(setups, model);
  }

  workflow(name: string, text: string): void {
    const dir = path.join(this.root, '.takt', 'workflows');
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, `${name}.yaml`), text);
  }

  /** As a person would: added, with what it says besides, in a clone of its own. */
  async add(name: string, text: string, ...more: string[]): Promise<void> {
    const { code, out } = await this.docket('add', text, '--name', name, '--worktree', ...more);
    if (code !== 0) throw new Error(`docket add ended with ${code}: ${out}`);
  }

  async shown(name: string): Promise<TaskDetails> {
    const { out } = await this.docket('show', name, '--json');
    return JSON.parse(out) as TaskDetails;
  }

  /** Turns of conversations with the model, in their order: a turn may take several requests. */
  played(): (string | undefined)[] {
    const names = this.model.requests.map(({ name }) => name);
    return names.filter((name, at) => at === 0 || name !== names[at - 1]);
  }

  /** What arrived first with a turn of that name, as the vendor sent it. */
  heard(name: string): string {
    const request = this.model.requests.find((one) => one.name === name);
    return (request?.turns ?? []).map(({ role, text }) => `${role}: ${text}`).join('\n');
  }
}
