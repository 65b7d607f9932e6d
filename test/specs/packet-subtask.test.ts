import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RanDirectory } from '../../src/kinds/directory/api.ts';
import { openDocket } from '../../src/project/docket.ts';
import { PacketProject, type Scenario } from '../support/packet-project.ts';
import { actions, shell, subtask } from '../support/task-project.ts';

const never = new AbortController().signal;
const packet = { intent: 'safe_impl', allow: ['src/'], commands: ['grep -q day src/app.txt'], calls: 9 };
/** The adapter is for tools that know no packets. */
const greet = subtask('greet', 'success', { adapter: 'shell', packet });

/** A task directory, one of whose workers is a packet. */
class Directory extends PacketProject {
  task = '';

  constructor(scenario: Scenario = {}) {
    super(scenario);
    const known = JSON.parse(this.read('.docket/config.yaml')) as { agents: object };
    const agents = { ...known.agents, shell: shell('echo note >> notes.txt') };
    this.write('.docket/config.yaml', JSON.stringify({ ...known, agents }));
  }

  async create(): Promise<void> {
    const docket = await openDocket({ cwd: this.root, root: this.root, env: this.env });
    const { id } = await (await docket.tasks()).create({ title: 'Ship it', topology: 'swarm' });
    this.task = id;
    this.id = `${id}.greet`;
  }

  async go(text?: string): Promise<RanDirectory> {
    const docket = await openDocket({ cwd: this.root, root: this.root, env: this.env });
    const tasks = await docket.tasks();
    if (text === undefined) return tasks.resume(this.task, { signal: never });
    return tasks.run(this.task, { kind: 'actions', actions: text, source: 'actions.json', signal: never });
  }

  made(name: string): Record<string, unknown> {
    const file = path.join(this.root, '.agentmesh', 'tasks', this.task, name);
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
  }
}

describe('a subtask that a packet does', () => {
  it('hands in what the packet came to, and is joined like any other', async () => {
    const at = new Directory();
    await at.create();
    const plain = subtask('notes', 'success', { adapter: 'shell' });
    const ran = await at.go(
      actions(plain, greet, subtask('after', 'success', { adapter: 'shell', needs: ['greet'] })),
    );
    expect(ran.steps).toMatchObject([{ state: 'done' }, { step: 'greet', state: 'done' }, { state: 'done' }]);
    expect(at.called()).toEqual(['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review']);
    // One after the other: what the first worker did was there before, and is not the packet's to undo.
    expect([at.read('src/app.txt'), at.read('notes.txt')]).toEqual(['Good day\n', 'note\nnote\n']);
    expect(at.text('manifest.yaml')).toContain('paid_call_budget: 9');
    const final = at.made('agents/greet/artifacts/final.json');
    expect(final).toMatchObject({ status: 'success', artifacts: { packet: at.id } });
    const { workers } = at.made('shared/reports/joined-summary.json');
    expect(workers).toMatchObject([
      {},
      { agentInstance: 'greet', status: 'success', evidence: [expect.any(String), expect.any(String)] },
      {},
    ]);
    const found = await (await openDocket({ cwd: at.root, root: at.root, env: at.env })).tasks();
    expect(await found.validate(at.task)).toEqual([]);
  });

  it('fails with the packet; its neighbours do not', async () => {
    const at = new Directory({ codex_impl: [{ edit: { 'docs/guide.md': 'Mine\n' }, say: 'So.' }] });
    await at.create();
    const ran = await at.go(actions(greet, subtask('notes', 'success', { adapter: 'shell' })));
    expect(ran.steps).toMatchObject([
      { step: 'greet', state: 'failed' },
      { step: 'notes', state: 'done' },
    ]);
    expect(ran.steps[0]?.summary).toMatch(/docs\/guide\.md/);
    expect(at.read('docs/guide.md')).toBe('# Guide\n');
  });

  it('is checked before anything begins', async () => {
    const at = new Directory();
    await at.create();
    const odd = { ...greet, packet: 'safe_imp', cwd: 'src' };
    const going = at.go(actions(odd));
    await expect(going).rejects.toThrow(/tasks\[0\]\.packet[^]*safe_imp[^]*cwd/);
    expect(at.called()).toEqual([]);
  });
});
