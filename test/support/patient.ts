import { execFileSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import type { DoctorFinding } from '../../src/app/doctor/check.ts';
import { examine } from '../../src/app/doctor/doctor.ts';
import { parseLine } from '../../src/surface/cli/parse.ts';
import { TestRepository } from './repository.ts';
import { treeOf } from './scratch.ts';

export const config = 'agents: { mine: { adapter: script, command: [./a.yaml] } }\ndefaultAgent: mine\n';

/** A project in order, for the doctor to look at. */
export class Patient {
  readonly repository = new TestRepository({ '.docket/config.yaml': config, 'a.txt': 'one\n' });
  readonly env = {
    PATH: process.env['PATH'],
    HOME: this.repository.home,
    DOCKET_STATE: `${this.repository.home}/s`,
  };

  constructor() {
    const { repository } = this;
    repository.write('.docket/.gitignore', '*\n!/.gitignore\n!/config.yaml\n');
    repository.git('config', 'user.name', 'ann');
    repository.git('config', 'user.email', 'ann@example.com');
  }

  get root() {
    return this.repository.root;
  }

  settings(text: string): this {
    this.repository.write('.docket/config.yaml', text);
    return this;
  }

  async examined(): Promise<{ findings: DoctorFinding[]; changed: boolean }> {
    const { root, env } = this;
    const before = treeOf(root);
    const clock = { now: () => Date.now() };
    const findings = await examine({ root, env, clock, warn: () => undefined }, {});
    return { findings, changed: !isDeepStrictEqual(treeOf(root), before) };
  }
}

/** Fails unless the command line takes this line, as a shell would hand it over. */
export async function parsed(line: string): Promise<void> {
  const words = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' });
  const argv = words.trimEnd().split('\n').slice(1);
  await parseLine(argv);
}
