import type { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { actions, shell, subtask, TaskProject } from '../../support/task-project.ts';
import { connected } from './support.ts';

interface Called {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Called> {
  return (await client.callTool({ name, arguments: args })) as unknown as Called;
}

const liar = {
  status: 'success',
  summary: 'I changed the file.',
  artifacts: { touchedFiles: ['src/never.ts'] },
};

it('shows the questions of a task directory, and passes on the answers of a person', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'), subtask('two'));
  const { id } = project;
  const client = await connected(project.root, '--as', 'claude', '--answers');
  const shown = await call(client, 'docket_show', { id });
  expect(shown.structuredContent).toMatchObject({ questions: [{ gate: 'gate-one', by: 'one' }] });

  const empty = await call(client, 'docket_answer', { id, decision: 'approve' });
  expect([empty.isError, empty.content[0]?.text]).toEqual([true, expect.stringContaining('gate-one asks')]);
  const said = { id, gate: 'gate-one', decision: 'approve', note: 'Take port 8080.' };
  const { structuredContent } = await call(client, 'docket_answer', said);
  expect(structuredContent).toMatchObject({ kind: 'task', decision: 'approved', status: 'queued' });
  expect(structuredContent?.['next']).toContain(`docket task resume ${id}`);
  expect(project.log('gate.approved')).toMatchObject([
    { by: 'claude', payload: { note: 'Take port 8080.' } },
  ]);

  const again = await call(client, 'docket_answer', said);
  expect([again.isError, again.content[0]?.text]).toEqual([true, expect.stringContaining('NOT_FOUND')]);
  await project.resume();
  expect(project.data('task.yaml')['state']).toBe('completed');
});

it('accepts work that is not proved only with a reason, by one of the choices', async () => {
  const project = await TaskProject.created({ liar: shell(':', liar) });
  await project.run(actions(subtask('one', 'success', { adapter: 'liar' }), subtask('two')));
  const { id } = project;
  const client = await connected(project.root, '--as', 'claude', '--answers');
  const shown = await call(client, 'docket_show', { id });
  expect(shown.structuredContent).toMatchObject({
    questions: [
      { gate: 'proof', choices: expect.arrayContaining([{ id: 'accept', text: expect.any(String) }]) },
    ],
  });
  expect(await call(client, 'docket_answer', { id, decision: 'approve', choice: 'accept' })).toMatchObject({
    isError: true,
  });
  await call(client, 'docket_answer', {
    id,
    decision: 'approve',
    choice: 'accept',
    note: 'I made it by hand.',
  });
  await project.resume();
  expect(project.data('task.yaml')['state']).toBe('completed');
  expect(project.text('shared/reports/joined-summary.md')).toContain(
    'accepted by claude: I made it by hand.',
  );
});

it('has no answers without --answers', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'));
  const client = await connected(project.root);
  const refused = call(client, 'docket_answer', { id: project.id, decision: 'approve', note: 'yes' });
  await expect(refused).rejects.toMatchObject({ code: -32602 });
  const both = await project.docket('mcp', '--answers', '--read-only');
  expect(both.code).toBe(2);
});
