import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { noteTree } from '../../../src/engine/tree-notes.ts';
import { executeTogether } from '../../../src/store/execute.ts';
import { treeState } from '../../../src/workspace/tree.ts';
import { Finished } from '../../support/finished.ts';

/** Tasks that work in the people's own tree, one step each. */
class InPlace extends Finished {
  async begun(name: string): Promise<void> {
    await this.add(name, {}, { workspace: { kind: 'inplace' } });
    const store = await this.store();
    const [claim] = await store.claim({ owner: 'x', max: 1, only: [name] });
    const { token = 0 } = claim ?? {};
    const about = { id: name, by: 'x', token };
    const step = { id: 'work', role: 'worker', title: 'work', kind: 'work' as const, agent: 'x', needs: [] };
    const started = { type: 'dispatch' as const, n: 1, goal: 'x', orders: '', steps: [step], ...about };
    const done = await executeTogether(store, name, [started], new Date().toISOString());
    if (!done.ok) throw new Error(done.refusal.message);
    await this.note(name, 'before');
  }

  async ended(name: string): Promise<void> {
    await this.note(name, 'after');
    await this.delivered(name);
  }

  async note(name: string, when: 'before' | 'after'): Promise<void> {
    const state = await treeState(this.root);
    if (state) noteTree(this.dir, [name, 'work'], state, when);
  }

  async worked(name: string, files: Record<string, string>): Promise<void> {
    await this.begun(name);
    for (const [file, text] of Object.entries(files)) this.write(file, text);
    await this.ended(name);
  }

  /** The files, and what is said of others. */
  async told(name: string): Promise<unknown[]> {
    const { text, others } = await this.work.diff(name, 'names');
    return [text.trimEnd().split('\n'), others];
  }
}

describe('the diff of a task that ran in place', () => {
  it('is what changed since it began while it runs, and nothing of one that did not', async () => {
    const project = new InPlace();
    project.write('mine.txt', 'before');
    await project.add('none', {}, { workspace: { kind: 'inplace' } });
    await expect(project.work.diff('none', 'names')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(fs.existsSync(path.join(project.dir, 'attempts'))).toBe(false);
    await project.begun('one');
    project.write('new.txt', 'new\n');
    project.write('a.txt', 'changed\n');
    expect(await project.told('one')).toEqual([['a.txt', 'new.txt'], { since: true }]);
  });

  it('has nothing of what came after it, committed or not', async () => {
    const project = new InPlace();
    await project.worked('one', { 'one.txt': 'one\n', 'a.txt': 'one\n' });
    await project.worked('two', { 'two.txt': 'two\n' });
    expect(await project.told('one')).toEqual([['a.txt', 'one.txt'], undefined]);
    expect(await project.told('two')).toEqual([['two.txt'], undefined]);
    project.git('add', '.');
    project.git('commit', '--quiet', '-m', 'all of it');
    project.write('later.txt', 'later\n');
    expect(await project.told('one')).toEqual([['a.txt', 'one.txt'], undefined]);
    expect(await project.work.diff('two', 'patch')).toMatchObject({
      text: expect.stringMatching(/^diff --git a\/two\.txt[^]*\+two\n$/) as string,
    });
  });

  it('names a file that was touched again, and one that was changed before', async () => {
    const project = new InPlace();
    project.write('a.txt', 'mine, not committed\n');
    await project.worked('one', { 'a.txt': 'its own\n', 'b.txt': 'b\n' });
    await project.worked('two', { 'b.txt': 'more\n' });
    expect(await project.told('one')).toEqual([['a.txt'], { leftOut: ['b.txt'], before: ['a.txt'] }]);
    expect(await project.told('two')).toEqual([['b.txt'], { before: ['b.txt'] }]);
  });

  it('is the range of its commits where it committed', async () => {
    const project = new InPlace();
    await project.begun('one');
    project.write('a.txt', 'its own\n');
    project.git('commit', '--quiet', '--all', '-m', 'one');
    await project.ended('one');
    project.write('a.txt', 'somebody else\n');
    const { text, others } = await project.work.diff('one', 'patch');
    expect([text.includes('+its own'), text.includes('somebody'), others]).toEqual([true, false, undefined]);
  });
});
