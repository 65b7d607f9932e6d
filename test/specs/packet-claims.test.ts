import { describe, expect, it } from 'vitest';
import { readBook } from '../../src/engine/evidence-book.ts';
import { PacketProject, type Act } from '../support/packet-project.ts';

const check = 'sh src/check.sh';
const edit = { 'src/app.txt': 'Good day\n', 'src/check.sh': 'grep -q day src/app.txt\n' };
const says = (...lines: string[]): Act => ({ edit, say: lines.join('\n') });
const checked = says('## Changes', '- src/check.sh: new', '## Checks', `- \`${check}\`: exit code 0`);

/** A packet whose one stage does this, call by call. */
async function packetOf(...acts: readonly Act[]): Promise<PacketProject> {
  const project = new PacketProject({ codex_impl: acts });
  const profiles = { profiles: { one: { stages: ['codex_impl'] } } };
  project.put('configs/pipeline/impl-pipeline.yaml', JSON.stringify(profiles));
  await project.make('one');
  return project;
}

describe('what the answer of a stage claims', { timeout: 60_000 }, () => {
  it.each<[string, Act, RegExp]>([
    [
      'a file that is not there',
      says('## Changes', '- src/never.ts: new'),
      /src\/never\.ts: it does not exist/,
    ],
    [
      'one that is as it was',
      says('## Changes', '- docs/guide.md: new'),
      /docs\/guide\.md: .*was not changed/,
    ],
    ['a command that nobody ran', checked, /sh src\/check\.sh: nobody ran it/],
  ])('is checked: %s', async (_, act, reason) => {
    const project = await packetOf(act);
    const { status, stages } = await project.run();
    const told = stages.flatMap(({ reasons }) => reasons).join('; ');
    expect([status, told, project.called()]).toEqual([
      'failed',
      expect.stringMatching(reason),
      ['codex_impl'],
    ]);
  });

  it('is made anew by the stage when the packet is run again', async () => {
    const project = await packetOf(checked, { ...checked, run: check });
    expect((await project.run()).status).toBe('failed');
    expect(project.data('state/last_failure.json')).toMatchObject({ class: 'contract_violation' });
    expect((await project.run()).status).toBe('done');
    expect(project.called()).toEqual(['codex_impl', 'codex_impl']);
    const claims = readBook(`${project.dir}/state/docket/evidence`).filter(({ kind }) => kind === 'claim');
    expect(claims.map(({ what, ok }) => [what, ok])).toEqual([
      [check, false],
      ['src/check.sh', true],
      ['src/check.sh', true],
      [check, null],
    ]);
  });
});
