import fs from 'node:fs';
import path from 'node:path';
import { Project, until } from './project.ts';
import { scratch } from './scratch.ts';

export const report = (fields: object = {}): string =>
  `printf '%s\\n' '${JSON.stringify({ status: 'success', summary: 'it is done', ...fields })}'`;

/** A project whose agent is a few lines of shell. `$CUES` is a folder for what it and the test have to tell each other. */
export class ShellProject extends Project {
  readonly cues: string;

  constructor(script: string, settings: object = {}) {
    const cues = scratch();
    const command = path.join(cues, 'agent.sh');
    fs.writeFileSync(command, `#!/bin/sh\nread -r name rest\ncat > /dev/null\n${helpers}${script}\n`, {
      mode: 0o755,
    });
    super({
      agents: { sh: { adapter: 'command', command: [command], env: { CUES: cues }, ...settings } },
      defaultAgent: 'sh',
    });
    this.cues = cues;
  }

  cue(name: string): void {
    fs.writeFileSync(path.join(this.cues, name), '');
  }

  has(name: string): boolean {
    return fs.existsSync(path.join(this.cues, name));
  }

  /** Waits until an agent says so: `say NAME` in its script. */
  async said(name: string): Promise<void> {
    await until(`an agent says ${name}`, () => this.has(name));
  }

  /** Runs docket until an agent says so, and kills it: docket, not the agent. */
  async killedWhen(name: string, ...args: string[]): Promise<void> {
    const run = this.start('run', ...args);
    await this.said(name);
    run.kill('SIGKILL');
    await new Promise((resolve) => run.once('exit', resolve));
  }

  /** The id of a task by its name. */
  async idOf(name: string): Promise<string> {
    const { tasks } = await this.json('list');
    return tasks.find(({ title }) => title === `${name} please`)?.id ?? `no task ${name}`;
  }

  async statuses(): Promise<Record<string, string>> {
    const { tasks } = await this.json('list');
    return Object.fromEntries(tasks.map(({ title, status }) => [title.replace(/ please$/, ''), status]));
  }
}

const helpers = `say() { : > "$CUES/$1"; }
await() { while [ ! -e "$CUES/$1" ]; do sleep 0.05; done; }
`;
