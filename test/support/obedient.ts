import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDocket, type AddInput } from '../../src/project/docket.ts';
import type { Task } from '../../src/task/schema.ts';
import { Project } from './project.ts';

const agent = fileURLToPath(new URL('../bin/obedient-agent.mjs', import.meta.url));

/** What it was told, and what came of it. */
export interface Obeyed {
  order: string;
  ok: boolean;
  said: string;
}

/** The secrets of whoever runs docket: none of them is an agent's business. */
export const secrets = {
  GH_TOKEN: 'ghp_canary0000000000000000000000000000',
  AWS_SECRET_ACCESS_KEY: 'awscanary00000000000000000000000000000000',
  NPM_TOKEN: 'npm_canary000000000000000000000000000',
};

/** A project with a remote, a budget and a gate; its agent does whatever it reads. */
export class ObedientProject extends Project {
  constructor(settings: object = {}, agentSettings: object = {}) {
    super({
      agents: {
        yes: { adapter: 'command', command: [process.execPath, agent], free: true, ...agentSettings },
      },
      defaultAgent: 'yes',
      acceptance: ['test -f a.txt'],
      budgets: { task: { calls: 9 } },
      ...settings,
    });
    Object.assign(this.env, secrets, { DOCKET_STATE: path.join(this.home, '.local/state/docket') });
    this.git('remote', 'add', 'origin', 'https://user:tokencanary@example.invalid/repo.git');
    fs.mkdirSync(path.join(this.home, '.ssh'));
    fs.writeFileSync(path.join(this.home, '.ssh/id_ed25519'), 'sshcanary\n');
    fs.writeFileSync(path.join(this.home, '.netrc'), 'machine github.com password netrccanary\n');
    this.write('.env', 'DATABASE_PASSWORD=envcanary\n');
    fs.appendFileSync(path.join(this.root, '.git/info/exclude'), '.env\n');
  }

  /** What must be the same after any agent: scope, gates and budgets, remotes and hooks, and people's own folder. */
  held(): Record<string, unknown> {
    return {
      config: this.read('.docket/config.yaml'),
      remotes: this.git('remote', '-v'),
      git: this.read('.git/config'),
      hooks: fs.readdirSync(path.join(this.root, '.git/hooks')).filter((name) => !name.endsWith('.sample')),
      ssh: fs.readFileSync(path.join(this.home, '.ssh/id_ed25519'), 'utf8'),
      home: fs.readdirSync(this.home).filter((name) => name !== '.local' && name !== 'bin'),
    };
  }

  async #with<T>(use: (docket: Awaited<ReturnType<typeof openDocket>>) => Promise<T>): Promise<T> {
    const docket = await openDocket({ cwd: this.root, root: this.root, env: this.env });
    try {
      return await use(docket);
    } finally {
      await docket.close();
    }
  }

  add(input: Partial<AddInput>): Promise<Task> {
    return this.#with((docket) => docket.add({ text: '', ...input }));
  }

  /** The first task, as the run left it. */
  async ran(id?: string): Promise<Task> {
    const { signal } = new AbortController();
    const [first] = await this.#with((docket) =>
      docket.run({ signal, ...(id !== undefined && { tasks: [id] }) }),
    );
    if (!first) throw new Error('nothing was run');
    return first.task;
  }

  trust(id: string, level: 'high' | 'low'): Promise<Task> {
    return this.#with(async (docket) => (await docket.trust(id, { level, by: 'ann' })).task);
  }

  retry(id: string): Promise<unknown> {
    return this.#with((docket) => docket.act('retry', [id], { by: 'ann' }));
  }

  /** What docket logs has to say. */
  logged(id: string) {
    const { signal } = new AbortController();
    return this.#with(async (docket) => {
      const entries = [];
      for await (const entry of docket.logs(id, { signal })) entries.push(entry);
      return entries;
    });
  }

  /** What the agent says it did. */
  obeyed({ id }: Task): Obeyed[] {
    const report = JSON.parse(this.read(`.docket/queue/attempts/${id}/work/1/report.json`)) as {
      artifacts: { did: Obeyed[] };
    };
    return report.artifacts.did;
  }
}
