import { describe, expect, it } from 'vitest';
import { docket, json } from './fake-world.ts';

describe('docket add', () => {
  it('joins words and prints one line with id, name and what is next', async () => {
    const { code, stdout, stderr, added } = await docket(['add', 'Fix', 'the', 'test', '--name', 'fix']);
    expect([code, stderr]).toEqual([0, '']);
    expect(added).toEqual([{ text: 'Fix the test', name: 'fix' }]);
    expect(stdout).toBe('queued t1 fix; see it with: docket list\n');
  });

  it('answers with the task as JSON, exactly', async () => {
    const ended = await docket(['add', '--json', 'Fix \u001B[31mthis', '--name=n']);
    expect(json(ended)).toEqual({
      v: 1,
      ok: true,
      id: 't1',
      status: 'queued',
      name: 'n',
      title: 'Fix \u001B[31mthis',
    });
  });

  it('prints only the id when quiet', async () => {
    expect((await docket(['add', 'x', '--quiet'])).stdout).toBe('t1\n');
  });

  it('hands everything to docket', async () => {
    const line = 'add x --workflow w --priority -3 --needs a --needs b --key k --root sub';
    const { added, opened } = await docket(line.split(' '));
    expect(added).toEqual([{ text: 'x', workflow: 'w', priority: -3, needs: ['a', 'b'], key: 'k' }]);
    expect(opened).toMatchObject([{ cwd: '/project', root: '/project/sub' }]);
  });

  it('hands all wishes to docket', async () => {
    const line =
      'add x --worktree --branch b --base main --auto-pr --draft-pr --start-step plan --agent codex ' +
      '--agent-slug --again --attach a,b.png --attach /abs/c';
    expect((await docket(line.split(' '))).added).toEqual([
      {
        text: 'x',
        worktree: true,
        branch: 'b',
        base: 'main',
        autoPr: true,
        draftPr: true,
        startStep: 'plan',
        agent: 'codex',
        agentSlug: true,
        again: true,
        attach: ['/project/a,b.png', '/abs/c'],
      },
    ]);
    expect((await docket(['add', 'x', '--worktree=../w t'])).added).toEqual([
      { text: 'x', worktree: '../w t' },
    ]);
    expect((await docket(['add', 'x', '--worktree='])).code).toBe(2);
    expect((await docket(['add', 'x', '--again=1'])).code).toBe(2);
  });

  it('knows an issue from a text that names one', async () => {
    expect((await docket(['add', '#12'])).added).toEqual([{ text: '', issue: 12 }]);
    expect((await docket(['add', 'Fix', '#12'])).added).toEqual([{ text: 'Fix #12' }]);
    expect((await docket(['add', '#12 is broken'])).added).toEqual([{ text: '#12 is broken' }]);
    expect((await docket(['add', '#0'])).added).toEqual([{ text: '#0' }]);
    expect(await docket(['add', '#1', '#2'])).toMatchObject({ code: 2, added: [] });
  });

  it('reads an issue from a file or from stdin', async () => {
    const files = { '/project/i.json': '{}' };
    expect((await docket(['add', '--issue-json', 'i.json'], { files })).added).toEqual([
      { text: '', issueJson: { text: '{}', source: '/project/i.json' } },
    ]);
    expect((await docket(['add', '--issue-json', '-'], { stdin: '[]' })).added).toEqual([
      { text: '', issueJson: { text: '[]', source: 'stdin' } },
    ]);
  });

  it('reads stdin and files', async () => {
    const stdin = 'Title\n\nBody: 日本\n';
    expect((await docket(['add', '-'], { stdin })).added).toEqual([{ text: stdin }]);
    expect((await docket(['add', '--file', '-'], { stdin })).added).toEqual([{ text: stdin }]);
    const files = { '/project/spec.md': 'From a file' };
    expect((await docket(['add', '--file', 'spec.md'], { files })).added).toEqual([{ text: 'From a file' }]);
    expect(await docket(['add', '--file', 'none.md'], { files })).toMatchObject({ code: 3, added: [] });
  });

  it.each([
    [['add'], 'no text'],
    [['add', '  '], 'no text'],
    [['add', '-'], 'no text'],
    [['add', 'x', '--file', 'y'], 'comes twice'],
    [['add', '-', 'x'], 'cannot stand beside words'],
    [['add', 'x', '--issue-json', 'y'], 'comes twice'],
    [['add', '--file', 'x', '--issue-json', 'y'], 'comes twice'],
  ])('refuses %j', async (argv, message) => {
    const ended = await docket(argv, { stdin: ' \n' });
    expect(ended).toMatchObject({ code: 2, stdout: '', added: [], opened: [] });
    expect(ended.stderr).toContain(message);
  });

  it('refuses stdin that is not text', async () => {
    const ended = await docket(['add', '-'], { stdin: new Uint8Array([0x61, 0xff, 0xfe]) });
    expect(ended).toMatchObject({ code: 2, added: [] });
    expect(ended.stderr).toContain('not UTF-8');
  });
});
