import { describe, expect, it } from 'vitest';
import { project } from '../../project/for-agent/support.ts';
import { docket, json } from './fake-world.ts';

const env = { DOCKET_MARK: 'an-agent' };

/** What people decide: docs/security.md has the table of who is trusted with what. */
const peoples = [
  ['gate approve', 't1', 'g'],
  ['gate reject', 't1', 'g'],
  ['budget set', 'day', 'money=1000'],
  ['limits open', 'claude'],
  ['run'],
  ['watch'],
  ['retry', 't1'],
  ['requeue', 't1'],
  ['cancel', 't1'],
  ['delete', 't1'],
  ['restore', 't1'],
  ['merge', 't1'],
  ['pr', 't1'],
  ['clean'],
  ['init'],
  ['queue archive'],
  ['board init'],
  ['board unlock'],
  ['board dispatch', 'T-001', 'coder'],
  ['packet run', 'p'],
  ['task run', 't'],
  ['workflow new', 'w'],
  ['add', 'x', '--budget', 'money=1000'],
  ['ps', '--end-strays'],
  ['list', '--interactive'],
  ['mcp', '--answers'],
];

describe('an agent that docket started', () => {
  it.each(peoples.map((words) => [words.join(' '), words] as const))('cannot call %s', async (_, words) => {
    const argv = words.flatMap((word) => (word.startsWith('--') ? word : word.split(' ')));
    const refused = await docket([...argv, '--json'], { env });
    expect(json(refused)).toMatchObject({
      error: { code: 'REFUSED', message: expect.stringMatching(/^an agent cannot call docket /) as string },
    });
    expect(refused.code).toBe(4);
    expect(refused.opened).toEqual([]);
  });

  it('can look, be helped, and add work', async () => {
    expect((await docket(['list'], { env })).code).toBe(0);
    expect((await docket(['merge', '--help'], { env })).code).toBe(0);
    const added = await docket(['add', 'Mend it'], { env });
    expect(added).toMatchObject({ code: 0, added: [{ text: 'Mend it' }] });
  });

  it.each([
    'approve T-001',
    'unblock T-001: yes',
    'cancel T-001',
    'reopen T-001',
    'autopilot',
    'claim T-001 --steal',
  ])('cannot say %j on the board', async (text) => {
    const { say } = await project({ env });
    await say('create task: Fix the login');
    await say('claim T-001');
    await expect(say(text)).rejects.toMatchObject({ code: 'REFUSED' });
  });
});
