import { describe, expect, it } from 'vitest';
import { BoardProject, report } from '../../support/board-project.ts';

const heads = (notices: readonly { text: string }[]): string[] =>
  notices.map(({ text }) => text.split(' |', 1)[0] ?? '');

describe('what docs/protocol-config.json says', { timeout: 60_000 }, () => {
  it('milestoneOnly: how far people are is written down, and told where that is switched off', async () => {
    const told = async (milestoneOnly: boolean) => {
      const at = new BoardProject(report(), { protocol: { channel: { milestoneOnly } } });
      await at.say('create task: one');
      await at.say('claim T-001', 'coder');
      const { notices } = await at.hear('@orchestrator T-001 half of it is there', { as: 'coder' });
      expect(at.lines()).toContain('T-001 task_progress');
      return heads(notices);
    };
    expect([await told(true), await told(false)]).toEqual([[], ['[TASK] T-001']]);
  });

  it('broadcasters: what the broadcaster does is told only if it may speak to the group', async () => {
    const told = async (broadcasters?: readonly string[]) => {
      const at = new BoardProject(report(), { protocol: broadcasters ? { broadcasters } : {} });
      const own = await at.hear('create task: announce', { as: 'broadcaster' });
      const others = await at.hear('create task: build', { as: 'ann' });
      return [...heads(own.notices), ...heads(others.notices)];
    };
    expect(await told()).toEqual(['[TASK] T-002']);
    expect(await told(['orchestrator', 'broadcaster'])).toEqual(['[TASK] T-001', '[TASK] T-002']);
    expect(await told([])).toEqual([]);
  });

  it('metadataOnly: a name in front of a command says who it is for, or gives it to them at once', async () => {
    const at = new BoardProject();
    await at.say('@debugger create task: look', 'ann');
    expect(await at.task('T-001')).toMatchObject({
      status: 'pending',
      assigneeHint: 'debugger',
      owner: null,
    });
    const given = new BoardProject(report(), { protocol: { routing: { metadataOnly: false } } });
    const { notices } = await given.hear('@debugger create task: look', { as: 'ann' });
    expect(await given.task('T-001')).toMatchObject({ status: 'claimed', owner: 'debugger' });
    expect(heads(notices)).toEqual(['[CLAIM] T-001', '[TASK] T-001']);
  });

  it('directOverridePrefix: is the sign in front of a name', async () => {
    const at = new BoardProject(report(), { protocol: { routing: { directOverridePrefix: '#' } } });
    await at.say('#debugger create task: look');
    await at.say('@orchestrator #debugger create task: look too');
    expect(await at.board.list()).toMatchObject([{ assigneeHint: 'debugger' }, { assigneeHint: 'debugger' }]);
    expect(await at.hear('@debugger create task: look')).toMatchObject({ outcome: { kind: 'unknown' } });
  });

  it('agents, intents and message types: nothing else is done, and the answer says what is', async () => {
    const at = new BoardProject(report(), {
      protocol: {
        agents: ['coder'],
        intents: ['create_task', 'status', 'dispatch'],
        messageTypes: ['[TASK]'],
      },
    });
    await at.say('create task: one');
    for (const text of [
      'dispatch T-001 debugger',
      '@debugger create task: x',
      'claim T-001',
      'block T-001: x',
    ])
      expect(await at.hear(text)).toMatchObject({
        outcome: { kind: 'refused', code: 'forbidden' },
        events: [],
      });
    expect(await at.say('dispatch T-001 debugger')).toContain('allowed: coder');
  });

  it('keeps a long text whole up to a length, and refuses a longer one', async () => {
    const at = new BoardProject();
    const long = 'x'.repeat(20_000);
    await at.say(`create task: ${long}`);
    expect((await at.task('T-001'))?.title).toBe(long);
    for (const text of [`create task: ${long}x`, `block T-001: ${long}x`, `create project P: a; ${long}x`])
      expect(await at.say(text)).toContain('20000 are kept');
    expect(await at.say('create task: y', 'z'.repeat(300))).toContain('256');
    expect(await at.stand()).toEqual(['T-001 pending']);
  });
});
