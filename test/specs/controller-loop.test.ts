import { describe, expect, it } from 'vitest';
import { faultsOf } from '../support/published-schema.ts';
import { actions, subtask, TaskProject } from '../support/task-project.ts';

describe('Requirement: Orchestrator Actions Output', () => {
  it('Parse actions from orchestrator', async () => {
    const project = await TaskProject.created();
    const { steps } = await project.run(actions(subtask('one')));
    expect(steps).toMatchObject([{ step: 'one', state: 'done', summary: 'Did one.' }]);
    expect(project.codex.visits('one')).toHaveLength(1);
  });

  it('Actions output validates against schema', async () => {
    const document: unknown = JSON.parse(
      actions(subtask('one'), subtask('two', 'success', { needs: ['one'] })),
    );
    expect(faultsOf('orchestrator-actions', document)).toEqual([]);
    expect(faultsOf('orchestrator-actions', { sessionGoal: '', tasks: [] })).toHaveLength(2);
  });
});

describe('Requirement: Controller State Machine', () => {
  it('Controller writes progress events', async () => {
    const project = await TaskProject.created();
    await project.run(actions(subtask('one')));
    const states = project
      .log('controller.state.changed')
      .map(({ payload }) => (payload as { state: string }).state);
    expect(states).toEqual(['dispatching', 'monitoring', 'joining', 'done']);
  });
});

describe('Requirement: StateBoard Artifact', () => {
  it('StateBoard exists after dispatch', async () => {
    const project = await TaskProject.created();
    const run = project.run(actions(subtask('one', 'wait:go')));
    await project.codex.started(1);
    await project.untilText('shared/state-board.md', /^- `one` .*status=running/m);
    expect(project.text('shared/state-board.md')).toMatch(/^- sessionGoal: Ship the thing$/m);
    project.codex.cue('go');
    await run;
    expect(project.text('shared/state-board.md')).toMatch(/^- `one` .*status=completed/m);
  });
});

describe('Requirement: Task Workspace Per Subtask', () => {
  it('Subtask workspace is created', async () => {
    const project = await TaskProject.created();
    await project.run(actions(subtask('one'), subtask('two', 'success', { agentInstance: 'second' })));
    for (const instance of ['one', 'second'])
      for (const name of [
        'session.json',
        'runtime/events.jsonl',
        'runtime/stderr.log',
        'artifacts/final.json',
      ])
        expect(project.has(`agents/${instance}/${name}`)).toBe(true);
    const roster = project.list('task.yaml', 'roster');
    expect(roster.map(({ instance, state }) => [instance, state])).toEqual([
      ['one', 'completed'],
      ['second', 'completed'],
    ]);
  });
});

describe('Requirement: Fork vs Spawn Dispatch Policy', () => {
  it('Fork mode records parent', async () => {
    const project = await TaskProject.created();
    await project.run(actions(subtask('parent')));
    const [{ thread: parent } = { thread: '' }] = project.codex.visits('parent');
    await project.run(actions(subtask('child', 'success', { mode: 'fork', forkedFromThreadId: parent })));
    const session = project.data('agents/child/session.json')['vendorSession'];
    expect(session).toMatchObject({
      forkedFromThreadId: parent,
      threadId: expect.not.stringMatching(parent),
    });
  });
});

describe('Requirement: Evidence-First Result Contract', () => {
  it('Join reads final outputs', async () => {
    const project = await TaskProject.created();
    await project.run(actions(subtask('one'), subtask('two', 'failed')));
    expect(project.finals()).toEqual({ one: 'success', two: 'failed' });
    const report = project.text('shared/reports/joined-summary.md');
    expect(report).toMatch(/### one \(worker\)\n[^#]*status: `?success`?[^#]*Did one\./);
    expect(report).toMatch(/### two \(worker\)\n[^#]*status: `?failed`?[^#]*two went wrong\./);
  });
});

describe('Requirement: Human-in-the-Loop Resume', () => {
  it('Blocked requires human notes', async () => {
    const project = await TaskProject.created();
    await project.run(actions(subtask('one', 'blocked')));
    expect(project.data('task.yaml')).toMatchObject({
      state: 'input-required',
      gates: [{ id: 'gate-one', state: 'blocked', instructionsRef: './shared/human-notes.md' }],
    });
    await expect(project.resume()).rejects.toMatchObject({ code: 'NEEDS_PERSON', exitCode: 5 });
    project.edit('shared/human-notes.md', (text) => `${text}- Take the left way.\n`);
    expect((await project.resume()).file['state']).toBe('completed');
  });
});
