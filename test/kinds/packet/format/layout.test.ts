import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { packetLayout } from '../../../../src/kinds/packet/format/layout.ts';
import { ownOf } from '../../../../src/kinds/packet/format/own.ts';
import { taskSchema } from '../../../../src/task/schema.ts';
import { manifestText, PacketLife } from './packet-life.ts';

const entry = (text: string) => packetLayout.split(text).entries[0]!;
const fieldsOf = (text: string) => {
  const parsed = packetLayout.parse(entry(text));
  if ('wrong' in parsed) throw new Error(parsed.wrong.message);
  return parsed.fields;
};

describe('a manifest', () => {
  it('becomes a task that says what it says, and nothing that docket would write back', () => {
    const { task } = new PacketLife();
    expect(() => v.parse(taskSchema, task)).not.toThrow();
    expect(task).toMatchObject({
      id: '20260218-001',
      title: 'Retry what can be retried',
      status: 'queued',
      spec: {
        body: 'Retry what can be retried',
        scope: { allow: ['src/'], deny: ['.env'] },
        acceptance: { commands: [['sh', '-c', 'npm test']], criteria: ['the tests pass'] },
        budget: { calls: 10, seconds: 900 },
      },
    });
    expect(packetLayout.describe(task)).toEqual(fieldsOf(manifestText));
    expect(packetLayout.patch(entry(manifestText), { goal: 'another' })).toBe(manifestText);
    const sheet = packetLayout.split(manifestText);
    expect(packetLayout.join(sheet)).toBe(manifestText);
  });

  it('may have a name with dots, and budgets of nought, which are kept', () => {
    const text = manifestText
      .replace('20260218-001', 'v1.2.x')
      .replace('paid_call_budget: 10, max_wallclock_sec: 900', 'paid_call_budget: 0, max_wallclock_sec: 0');
    const life = new PacketLife(text);
    expect(() => v.parse(taskSchema, life.task)).not.toThrow();
    expect(life.task.id).toBe('v1-2-x');
    expect(life.task.spec.budget).toEqual({});
    life.start();
    expect(life.summary).toContain('Task: v1.2.x\n');
    expect(life.summary).toContain('- paid_calls_used: 0 / 0\n');
    expect(life.summary).toContain('next_action: docket packet status v1.2.x ');
  });

  it('is written again from what it said when it is gone', () => {
    const { task } = new PacketLife();
    const fields = packetLayout.describe(task)!;
    expect(fieldsOf(packetLayout.render(fields, packetLayout.split('')))).toEqual(fields);
  });

  it('that people change holds from then on, and everything else stays', () => {
    const life = new PacketLife().start();
    life.keep({ resolved: '{}' });
    const fields = fieldsOf(manifestText.replace('allow: [src/]', 'allow: [src/, docs/]'));
    const revised = packetLayout.revise(life.task, fields, ['scope']);
    if (!Array.isArray(revised)) throw new Error(revised.message);
    for (const command of revised) life.do(command);
    expect(life.task.spec.scope).toEqual({ allow: ['src/', 'docs/'], deny: ['.env'] });
    expect(packetLayout.describe(life.task)).toEqual(fields);
    expect(ownOf(life.task).resolved).toBe('{}');
  });

  it('keeps its name, and a wrong one is told with its place', () => {
    const { task } = new PacketLife();
    expect(packetLayout.revise(task, fieldsOf(manifestText), ['task_id'])).toMatchObject({
      fix: expect.stringContaining('Put it back to 20260218-001') as string,
    });
    const wrong = packetLayout.parse(entry(manifestText.replace('off', 'never').replace('[npm test]', '7')));
    expect(wrong).toMatchObject({
      wrong: { line: 6, message: expect.stringContaining('(and 1 more: docket packet validate)') as string },
    });
  });
});
