import fs from 'node:fs';
import path from 'node:path';
import type { Here } from '../../../src/workflows/layers.ts';
import { scratch } from '../../support/scratch.ts';

/** A project and a home of its own, with these files: `root/…` and `home/…`. */
export function place(files: Record<string, string> = {}): Here & { base: string; warnings: string[] } {
  const base = fs.realpathSync(scratch());
  const [root, home] = [path.join(base, 'root'), path.join(base, 'home')];
  for (const folder of [root, home]) fs.mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) write(base, name, text);
  const warnings: string[] = [];
  return { base, root, env: { HOME: home }, warn: (text) => warnings.push(text), warnings };
}

export function write(base: string, name: string, text: string): string {
  const file = path.join(base, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

/** A workflow of one step. */
export function one(step: string, lines = ''): string {
  return `name: ${step}\nsteps:\n  - name: ${step}\n${lines}    rules: [{ condition: done, next: COMPLETE }]\n`;
}
