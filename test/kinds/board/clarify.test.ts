import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BoardProject } from '../../support/board-project.ts';

const file = 'state/clarify.cooldown.json';

function at(time = '2026-03-01T08:00:00.000Z') {
  const now = { ms: Date.parse(time) };
  const project = new BoardProject(undefined, { clock: { now: () => now.ms } });
  return { project, later: (seconds: number) => void (now.ms += seconds * 1000) };
}

describe('a question to a role', () => {
  it('is told with the key that was given, and counted for the role and for the group', async () => {
    const { project, later } = at();
    const asked = await project.hear('clarify T-001 coder: which colour?', { key: 'm-1', group: 'oc_1' });
    expect(asked.outcome).toMatchObject({ kind: 'clarified', role: 'coder' });
    expect(asked.notices).toEqual([
      { key: 'm-1', seq: 0, taskId: 'T-001', text: expect.stringContaining('which colour?') },
    ]);
    const entry = {
      ts: 1772352000,
      at: '2026-03-01T08:00:00Z',
      taskId: 'T-001',
      by: 'orchestrator',
      key: 'm-1',
    };
    const { entries } = JSON.parse(fs.readFileSync(path.join(project.root, file), 'utf8'));
    expect(entries).toEqual({ 'oc_1:coder': entry, 'oc_1:*': entry });

    later(100);
    const soon = { key: 'm-2', group: 'oc_1' };
    for (const role of ['coder', 'debugger'])
      expect(await project.hear(`clarify T-002 ${role}: and why?`, soon)).toMatchObject({
        outcome: { kind: 'throttled', retryAfterSec: 200 },
        notices: [],
      });
    // The same message once more is no second question; another group has its own time.
    expect(
      await project.hear('clarify T-001 coder: which colour?', { key: 'm-1', group: 'oc_1' }),
    ).toMatchObject({
      notices: asked.notices,
    });
    expect(await project.hear('clarify T-002 coder: and why?', { key: 'm-3', group: 'oc_2' })).toMatchObject({
      outcome: { kind: 'clarified' },
    });
    later(200);
    expect(await project.hear('澄清 T-002 debugger：为什么？', soon)).toMatchObject({
      outcome: { kind: 'clarified' },
    });
  });

  it('is for known roles, asked by the orchestrator, and a clock set back does not silence it for long', async () => {
    const { project, later } = at();
    expect(await project.hear('clarify T-001 boss: why?')).toMatchObject({
      outcome: { code: 'unsupported_role' },
    });
    expect(await project.hear('clarify T-001 coder: why?', { as: 'ann' })).toMatchObject({
      outcome: { code: 'forbidden' },
    });
    expect(fs.existsSync(path.join(project.root, file))).toBe(false);
    await project.say('clarify T-001 coder: why?');
    later(-100);
    expect(await project.hear('clarify T-001 coder: why?')).toMatchObject({
      outcome: { retryAfterSec: 300 },
    });
    later(-86_400);
    await project.say('clarify T-001 coder: why?');
    later(1);
    expect(await project.hear('clarify T-001 coder: why?')).toMatchObject({
      outcome: { retryAfterSec: 299 },
    });
    expect(await project.hear('clarify T-001 coder: why?', { force: true })).toMatchObject({
      outcome: { kind: 'clarified' },
    });
  });

  it('is asked once when two ask at the same moment', async () => {
    const { project } = at();
    const heard = await Promise.all(
      [1, 2, 3].map((n) => project.hear('clarify T-001 coder: why?', { key: `m-${n}` })),
    );
    expect(heard.map(({ outcome }) => outcome.kind).toSorted()).toEqual([
      'clarified',
      'throttled',
      'throttled',
    ]);
  });
});
