import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DoctorFinding } from '../../src/project/doctor/check.ts';
import { examine } from '../../src/project/doctor/doctor.ts';
import { parseLine } from '../../src/surfaces/cli/frame/parse.ts';
import { TestRepository } from './repository.ts';
import { treeOf } from './scratch.ts';

export const config =
  'agents: { mine: { adapter: script, command: [./a.yaml] } }\ndefaultAgent: mine\nacceptance: [test -e a.txt]\n';

/** What the doctor does not find in order. */
export const wrong = (findings: readonly DoctorFinding[]) =>
  findings.flatMap((one) => (one.state === 'ok' ? [] : [one]));

/** It opens what is there, at a line that there is, and nothing else. */
const editor = `#!/bin/sh
line=0
case $1 in +*) line=\${1#+}; shift ;; esac
[ $# = 1 ] && [ -f "$1" ] && [ "$line" -le "$(grep -c '' "$1")" ]
`;

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
    fs.mkdirSync(repository.home, { recursive: true });
    fs.writeFileSync(path.join(repository.home, 'editor'), editor, { mode: 0o755 });
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

  /** What a person in the root gets for a command: its exit code. */
  typed(command: string): number | null {
    const bin = path.resolve(import.meta.dirname, '../../bin');
    const env = { ...this.env, PATH: `${bin}:${this.env.PATH}`, EDITOR: `${this.env.HOME}/editor` };
    const { status, stderr } = spawnSync('/bin/sh', ['-c', command], {
      cwd: this.root,
      env,
      encoding: 'utf8',
    });
    if (status !== 0) process.stderr.write(`${command}: ${stderr}\n`);
    return status;
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
