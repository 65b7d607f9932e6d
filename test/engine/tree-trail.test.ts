import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { keptText, keptTrees, trailFolder, TreeTrail } from '../../src/engine/tree-trail.ts';
import { TestRepository } from '../support/repository.ts';
import { scratch } from '../support/scratch.ts';

function repository() {
  const repo = new TestRepository({ 'a.txt': 'one\n' });
  return {
    repo,
    root: repo.root,
    trail: new TreeTrail(repo.root, { base: scratch(), below: [] }, { text: String }),
  };
}

it('the same contents have the same print, whenever they were written and whoever looks', async () => {
  const { repo, root, trail } = repository();
  const clean = await trail.look('s1');
  repo.write('a.txt', 'two\n');
  fs.symlinkSync('/etc/passwd', path.join(root, 'link'));
  execFileSync('mkfifo', [path.join(root, 'pipe')]);
  const two = await trail.look('s2');
  expect(two).not.toBe(clean);
  fs.utimesSync(path.join(root, 'a.txt'), 1, 1);
  repo.git('add', 'a.txt');
  expect(await trail.look('s3')).toBe(two);
  fs.chmodSync(path.join(root, 'a.txt'), 0o755);
  expect(await trail.look('s4')).not.toBe(two);
  repo.git('reset', '--quiet', '--hard');
  fs.rmSync(path.join(root, 'link'));
  expect(await trail.look('s5')).toBe(clean);
  repo.git('commit', '--quiet', '--allow-empty', '-m', 'nothing');
  expect(await trail.look('s6')).toBe(clean);
  expect(await new TreeTrail(root, { base: scratch(), below: [] }, { text: String }).look('s')).toBe(clean);
});

it('keeps what the last trees held, without secrets, and no more than that', async () => {
  const { repo, root } = repository();
  const base = scratch();
  const trail = new TreeTrail(
    root,
    { base, below: ['t'] },
    { text: (text) => text.replaceAll('secret', '***') },
  );
  const folder = path.join(base, 't', trailFolder);
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) {
    repo.write('a.txt', `secret ${n}\n`);
    if (n === 8) fs.rmSync(path.join(root, 'a.txt'));
    repo.write('long', 'x'.repeat(300_000));
    await trail.look(`s${n}`);
  }
  const kept = keptTrees(folder, 's7');
  const text = (name: string, of = kept?.after) => keptText(folder, of?.files.get(name) ?? '');
  expect([text('a.txt', kept?.before), text('a.txt'), text('long')]).toEqual([
    '*** 6\n',
    '*** 7\n',
    undefined,
  ]);
  expect(keptTrees(folder, 's8')?.after.files.get('a.txt')).toBe('');
  expect(keptTrees(folder, 's1')).toBeUndefined();
  const files = fs.readdirSync(folder);
  expect(files.filter((name) => name.endsWith('.json'))).toHaveLength(6);
  expect(files.filter((name) => !name.endsWith('.json'))).toHaveLength(5);
  expect(keptText(folder, '../../x')).toBeUndefined();
  const [first = ''] = files.filter((name) => name.endsWith('.s7.json'));
  fs.rmSync(path.join(folder, first));
  fs.mkdirSync(path.join(folder, first));
  expect(keptTrees(folder, 's7')).toBeUndefined();
});

it('knows nothing where there is no work tree', async () => {
  expect(
    await new TreeTrail(scratch(), { base: scratch(), below: [] }, { text: String }).look('s'),
  ).toBeUndefined();
});
