import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BoardProject, report } from '../support/board-project.ts';
import { PacketProject } from '../support/packet-project.ts';
import { actions, shell, subtask, TaskProject } from '../support/task-project.ts';

/** More settings beside those that are there. */
function set(root: string, setup: object): void {
  const file = path.join(root, '.docket/config.yaml');
  const known = JSON.parse(fs.readFileSync(file, 'utf8')) as object;
  fs.writeFileSync(file, JSON.stringify({ ...known, setup }));
}

const setup = {
  requires: ['needed.txt'],
  commands: ['echo "set up with $MODE" > made.txt'],
  ports: ['PORT'],
  env: { MODE: 'care' },
};
const missing = 'setup.requires: needed.txt is missing';

/** What is in the project is there for all: it is worked on in place. */
describe('a setup', { timeout: 60_000 }, () => {
  it('holds a task directory before a worker is called, and reaches its workers', async () => {
    const project = await TaskProject.created({ noting: shell('echo "$MODE $PORT" > seen.txt') });
    set(project.root, setup);
    await project.run(actions(subtask('one', '', { adapter: 'noting' })));
    expect(project.data('task.yaml')).toMatchObject({ state: 'input-required' });
    expect(project.text('events.jsonl')).toContain(missing);
    expect(project.text('events.jsonl')).toContain(`then: docket task resume ${project.id}`);
    expect([project.marks(), project.read('made.txt')]).toEqual([[], 'set up with care\n']);
    project.write('needed.txt', 'x');
    await project.resume();
    expect(project.data('task.yaml')).toMatchObject({ state: 'completed' });
    expect(project.read('seen.txt')).toMatch(/^care 2\d{4}\n$/);
  });

  it('holds a packet, and reaches its agents and the commands of its gate', async () => {
    const act = { shell: 'echo "$MODE $PORT" > "$HOME/seen"' };
    const commands = ['[ "$(cat "$HOME/seen")" = "$MODE $PORT" ]'];
    const project = await PacketProject.with('one_shot_impl', { codex_verify: [act] }, { commands });
    set(project.root, setup);
    const held = await project.run();
    expect([held.status, project.called()]).toEqual(['blocked', []]);
    expect(JSON.stringify(held)).toContain(missing);
    project.write('needed.txt', 'x');
    expect((await project.run()).status).toBe('done');
    expect(fs.readFileSync(path.join(project.home, 'seen'), 'utf8')).toMatch(/^care 2\d{4}\n$/);
  });

  it('holds a task of a board, and reaches its worker', async () => {
    const at = new BoardProject(`echo "$MODE $PORT" > "$CUES/seen"\n${report()}`);
    set(at.root, setup);
    await at.say('create task: build the cart');
    await at.hear('run T-001', { mode: 'spawn' });
    expect((await at.task('T-001'))?.blockedReason).toContain(missing);
    expect((await at.task('T-001'))?.blockedReason).toContain('then: docket say "unblock T-001"');
    expect(at.log).toEqual([]);
    at.write('needed.txt', 'x');
    await at.say('unblock T-001');
    await at.hear('run T-001', { mode: 'spawn' });
    expect(await at.task('T-001')).toMatchObject({ status: 'done' });
    expect(at.cue('seen')).toMatch(/^care 2\d{4}\n$/);
  });
});
