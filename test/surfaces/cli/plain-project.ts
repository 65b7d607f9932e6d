import fs from 'node:fs';
import path from 'node:path';
import { Project } from '../../support/project.ts';
import { scratch } from '../../support/scratch.ts';
import { inFolder } from './real-world.ts';

/** A plain program: it keeps what it is told, and answers by these lines of shell, in which $p is that. */
export class Plain extends Project {
  readonly #told: string;

  constructor(script: string) {
    const told = path.join(scratch(), 'told');
    const keeps = `p=$(cat); printf '%s\\n=====\\n' "$p" >> "${told}"\n`;
    const plain = { adapter: 'command', command: ['/bin/sh', '-c', keeps + script] };
    super({ agents: { plain }, defaultAgent: 'plain' });
    this.#told = told;
  }

  workflow(name: string, steps: string): void {
    fs.mkdirSync(path.join(this.root, '.takt/workflows'), { recursive: true });
    this.write(`.takt/workflows/${name}.yaml`, `name: ${name}\nsteps:\n${steps}`);
  }

  cli(...argv: string[]) {
    return inFolder(this.root, argv, { env: this.env });
  }

  told(): string[] {
    return fs.readFileSync(this.#told, 'utf8').split('\n=====\n').slice(0, -1);
  }
}
