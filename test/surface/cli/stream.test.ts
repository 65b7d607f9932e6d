import { describe, expect, it } from 'vitest';
import { report, ShellProject } from '../../support/shell-project.ts';
import { inFolder } from './real-world.ts';

describe('docket run --json', () => {
  it('is one value, and with --stream a line for all that happens before it', async () => {
    const project = new ShellProject(report());
    project.queue(['a', 'b'], false);
    const one = await inFolder(project.root, ['run', 'a', '--json']);
    expect(one.code).toBe(0);
    expect(one.stdout.trimEnd().split('\n')).toHaveLength(1);
    const { code, stdout } = await inFolder(project.root, ['run', '--json', '--stream']);
    expect(code).toBe(0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const answer = lines.pop();
    expect(answer).toMatchObject({ v: 1, ok: true, tasks: [{ name: 'b', status: 'done' }] });
    for (const line of lines)
      expect(line).toMatchObject({ layout: 'queue', name: 'b', at: expect.any(String) as string });
    expect([...new Set(lines.map(({ kind }) => kind))]).toEqual([
      'started',
      'step',
      'event',
      'stepped',
      'ended',
    ]);
    expect(lines.at(-1)).toMatchObject({ kind: 'ended', status: 'done' });
  });

  it('has no stream without --json', async () => {
    const project = new ShellProject('true');
    const { code, stderr } = await inFolder(project.root, ['run', '--stream']);
    expect(code).toBe(2);
    expect(stderr).toContain('--stream is about --json');
  });
});
