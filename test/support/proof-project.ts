import fs from 'node:fs';
import path from 'node:path';
import type { ShownEvidence } from '../../src/engine/evidence-book.ts';
import { openDocket, type Docket } from '../../src/project/docket.ts';
import type { Task } from '../../src/task/schema.ts';
import { bin } from './child.ts';
import { Project } from './project.ts';
import { scratch } from './scratch.ts';

export const layouts = ['in place', 'clone', 'task', 'packet', 'board'] as const;
export type ProofLayout = (typeof layouts)[number];

/** How a task ended: its status, why, how often its agent was called, and what docket saw. */
export interface Ended {
  status: string;
  reason: string;
  calls: number;
  evidence: ShownEvidence[];
}

/**
 * A project whose agent is a few lines of shell, and one piece of work in whatever layout. `$CALL` is the number of the
 * call, `$CUES` a folder for what the agent and the test tell each other.
 */
export class ProofProject extends Project {
  readonly cues: string;

  constructor(script: string, report: { changes?: readonly string[] }, acceptance: readonly string[]) {
    const cues = scratch();
    const command = path.join(cues, 'agent.sh');
    const words = JSON.stringify({ status: 'success', summary: 'It is done, the tests pass.', ...report });
    const lines = [
      `#!/bin/sh\necho x >> "$CUES/calls"; CALL=$(wc -l < "$CUES/calls"); cat > "$CUES/prompt.$((CALL))"`,
      script,
      `printf '%s\\n' '## Status' '' PASS '' '${words}'`,
    ];
    fs.writeFileSync(command, `${lines.join('\n')}\n`, { mode: 0o755 });
    const agent = { adapter: 'command', command: [command], env: { CUES: cues } };
    // A stage of a packet may only edit: who plays it has to be one that can be held to that.
    const [scenario, diary] = [path.join(cues, 'scenario.json'), path.join(cues, 'diary.jsonl')];
    const say = ['It is done.', '## Changes', ...(report.changes ?? []).map((line) => `- ${line}`)].join(
      '\n',
    );
    const act = { shell: `CUES=${cues} ${command} < /dev/null > /dev/null`, say };
    fs.writeFileSync(scenario, JSON.stringify({ codex_impl: [act] }));
    fs.symlinkSync(bin('packet-cli.mjs'), path.join(cues, 'codex'));
    const codex = { adapter: 'codex', env: { PACKET_SCENARIO: scenario, PACKET_DIARY: diary } };
    super({ durability: 'relaxed', agents: { sh: agent, codex }, defaultAgent: 'sh', acceptance });
    Object.assign(this.env, { PATH: `${cues}:${this.env['PATH']}`, LANG: 'C.UTF-8' });
    this.cues = cues;
  }

  get calls(): number {
    const file = path.join(this.cues, 'calls');
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').length - 1 : 0;
  }

  prompt(call: number): string {
    return fs.readFileSync(path.join(this.cues, `prompt.${call}`), 'utf8');
  }

  async with<T>(use: (docket: Docket) => Promise<T>): Promise<T> {
    const docket = await openDocket({ cwd: this.root, root: this.root, env: this.env });
    try {
      return await use(docket);
    } finally {
      await docket.close();
    }
  }

  /** Does the work, and looks at what came of it. */
  async work(layout: ProofLayout, commands: readonly string[] = []): Promise<Ended> {
    const { signal } = new AbortController();
    return this.with(async (docket) => {
      switch (layout) {
        case 'in place':
        case 'clone': {
          this.queue(['one'], layout === 'clone');
          const [ran] = await docket.run({ signal });
          return this.#ended(docket, ran?.task, 'one');
        }
        case 'task': {
          const tasks = await docket.tasks();
          const { id } = await tasks.create({ title: 'One', topology: 'swarm' });
          const worker = { taskId: 'one', title: 'One', agent: 'worker', adapter: 'sh', prompt: 'Do it.' };
          const actions = JSON.stringify({ sessionGoal: 'One', tasks: [worker] });
          await tasks.run(id, { kind: 'actions', actions, source: 'actions.json', signal });
          return this.#ended(docket, (await tasks.show(id)).task, id);
        }
        case 'packet': {
          fs.mkdirSync(path.join(this.root, 'configs/pipeline'), { recursive: true });
          const profiles = { profiles: { one: { stages: ['codex_impl'] } } };
          this.write('configs/pipeline/impl-pipeline.yaml', JSON.stringify(profiles));
          const packets = await docket.packets();
          const lists = { allow: ['src/'], deny: [], commands: [...commands], criteria: [] };
          await packets.make({ id: 'p-1', goal: 'One', intent: 'one', ...lists });
          await packets.run('p-1', { signal, pauseMs: 1 });
          return this.#ended(docket, (await packets.show('p-1')).task, 'p-1');
        }
        case 'board': {
          const board = await docket.board();
          const said = { sender: { actor: 'orchestrator', isBot: false }, locale: 'en', signal } as const;
          await board.say({ ...said, text: 'create task: one' });
          await board.say({ ...said, text: 'run T-001', mode: 'spawn' });
          const [task] = await board.list();
          const { found } = await docket.evidence('T-001', {});
          const reason = task?.blockedReason ?? '';
          return { status: task?.status ?? '', reason, calls: this.calls, evidence: found.entries };
        }
      }
    });
  }

  async #ended(docket: Docket, task: Task | undefined, ref: string): Promise<Ended> {
    const { found } = await docket.evidence(ref, {});
    const reason =
      task?.status === 'blocked'
        ? `${task.reason.kind}: ${task.reason.text}`
        : task?.status === 'failed'
          ? task.failure.error
          : '';
    return { status: task?.status ?? '', reason, calls: this.calls, evidence: found.entries };
  }
}
