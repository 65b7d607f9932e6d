import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { repository } from './markdown.ts';

it('docs/reference is what the program says of itself (else: npm run reference)', () => {
  const script = path.join(repository, 'scripts', 'reference.mjs');
  const { stderr, status } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
