import { describe, expect, it } from 'vitest';
import { Finished } from '../../support/finished.ts';

describe('docket merge beside edits of people', { timeout: 60_000 }, () => {
  it('lands beside edits of people in other files, and refuses to touch theirs, also in a dry run', async () => {
    const project = new Finished();
    await project.done('other', { 'b.txt': 'b\n' });
    await project.done('same', { 'a.txt': 'A\n' });
    await project.done('last', { 'c.txt': 'c\n' });
    project.write('a.txt', 'mine\n');
    const told: string[] = [];
    const signal = new AbortController().signal;
    const merge = (dryRun: boolean) =>
      project.work.merge({ dryRun, signal, onProgress: (text) => void told.push(text) });
    const dry = await merge(true);
    expect(project.states(dry)).toEqual({ other: 'fits', same: 'refused', last: 'fits' });
    const merged = await merge(false);
    expect(project.states(merged)).toEqual({ other: 'merged', same: 'refused', last: 'merged' });
    expect([dry[1]?.reason, merged[1]?.reason]).toEqual(
      Array(2).fill(expect.stringMatching(/: a\.txt \(commit or stash/)),
    );
    // What is refused is not announced.
    expect(told).toEqual(['other: merging into main', 'last: merging into main']);
    expect([project.read('a.txt'), project.read('c.txt')]).toEqual(['mine\n', 'c\n']);
    expect([project.git('status', '--porcelain').trim(), (await project.get('same')).status]).toEqual([
      'M a.txt',
      'done',
    ]);
  });
});
