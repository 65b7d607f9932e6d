import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../support/published-schema.ts';
import { taskDirectory } from '../support/task-directory.ts';
import { TaskProject } from '../support/task-project.ts';

const isFolder = (project: TaskProject, name: string) =>
  fs.statSync(path.join(project.dir, name)).isDirectory();

describe('Requirement: Task Directory Location', () => {
  it('Create task directory under workspace', async () => {
    const project = new TaskProject();
    const tasks = await project.tasks();
    const { id, dir } = await tasks.create({ title: 'Ship it', topology: 'swarm' });
    expect(id).toMatch(/^task-[0-9a-f]{32}$/);
    expect(dir).toBe(`.agentmesh/tasks/${id}`);
    expect(fs.readdirSync(path.join(project.root, '.agentmesh', 'tasks'))).toEqual([id]);
  });
});

describe('Requirement: Task Directory Skeleton', () => {
  it('Skeleton is created on task creation', async () => {
    const project = await TaskProject.created();
    expect([isFolder(project, 'shared'), isFolder(project, 'agents')]).toEqual([true, true]);
  });
});

describe('Requirement: Human Entry README', () => {
  it('README exists with minimal fields', async () => {
    const project = await TaskProject.created();
    const readme = project.text('README.md');
    for (const [field, value] of [
      ['id', project.id],
      ['topology', 'swarm'],
      ['state', 'created'],
    ])
      expect(readme).toMatch(new RegExp(`^- ${field}: \`${value}\`$`, 'm'));
  });
});

describe('Requirement: Task File (task.yaml)', () => {
  it('Task file is readable after creation', async () => {
    const project = await TaskProject.created();
    const file = project.data('task.yaml');
    expect(file).toMatchObject({ id: project.id, title: 'Ship it', topology: 'swarm', state: 'created' });
    expect(faultsOf('task', file)).toEqual([]);
  });
});

describe('Requirement: Task Events Log (events.jsonl)', () => {
  it('Task created event is appended', async () => {
    const project = await TaskProject.created();
    const [first, ...rest] = project.log('task.created');
    expect(first).toMatchObject({
      type: 'task.created',
      taskId: project.id,
      ts: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(rest).toEqual([]);
    expect(project.text('events.jsonl')).toMatch(/\}\n$/);
  });
});

describe('Requirement: Human-in-the-loop Files (MVP)', () => {
  it('Human notes exists for every task', async () => {
    const project = await TaskProject.created();
    expect(project.text('shared/human-notes.md')).toMatch(/^# /);
  });

  it('Context manifest exists by default', async () => {
    const project = await TaskProject.created();
    expect(project.data('shared/context-manifest.yaml')).toEqual({ attachments: [] });
  });
});

describe('Requirement: Backward-Compatible Task States', () => {
  it('Parse legacy state values', async () => {
    const project = new TaskProject();
    const read = async (state: string) => {
      const yaml = `id: ${project.id}\ntitle: Old\ntopology: swarm\nstate: ${state}\n`;
      fs.rmSync(project.dir, { recursive: true, force: true });
      taskDirectory(project.root, project.id, { 'task.yaml': yaml, 'events.jsonl': null });
      return (await (await project.tasks()).show(project.id)).file['state'];
    };
    project.id = 'old-one';
    expect(await read('gate.blocked')).toBe('input-required');
    expect(await read('cancelled')).toBe('canceled');
  });
});
