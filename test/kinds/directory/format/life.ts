import { derived } from '../../../../src/kinds/directory/format/derived.ts';
import { log } from '../../../../src/kinds/directory/format/log.ts';
import type { Command } from '../../../../src/task/command.ts';
import type { Json } from '../../../../src/task/json.ts';
import type { Step } from '../../../../src/task/run.ts';
import type { Event, NewEvent, Task } from '../../../../src/task/schema.ts';
import { processLease, World } from '../../../task/world.ts';

type Order = Partial<Step> & { id: string };
type Own<T> = T extends Command ? Omit<T, 'id' | 'by' | 'token'> : never;

/** One task directory's life: commands through decide and evolve, and what its log and files say after each. */
export class Life {
  readonly world = new World();
  readonly lines: NewEvent[] = [];
  readonly files = new Map<string, string>();
  readonly #keys = new Map<string, string>();

  constructor(extras: Record<string, Json> = { topology: 'swarm' }) {
    this.do({
      type: 'create',
      title: 'Ship it',
      spec: { body: 'All of it.' },
      extras: { agentmesh: extras },
    });
  }

  get task(): Task {
    return this.world.task('t-1');
  }

  /** What the store does with a command: facts, then notes, then the files whose key is new. */
  do(command: Own<Command>): Task {
    const before = this.world.tasks.get('t-1');
    const token = before && 'token' in before ? { token: before.token } : {};
    this.world.ms += 1000;
    const decision = this.world.run({ id: 't-1', by: 'ann', ...token, ...command } as Command);
    if (!decision.ok) throw new Error(`${command.type}: ${decision.refusal.message}`);
    this.lines.push(...decision.events, ...log.notes(before, this.task, decision.events));
    this.write();
    return this.task;
  }

  write(): void {
    for (const file of derived(this.task)) {
      const { path, key } = file;
      if (this.#keys.get(path) !== key) this.files.set(path, file.text(this.files.get(path))!);
      this.#keys.set(path, key);
    }
  }

  file(path: string): string {
    const text = this.files.get(path);
    if (text === undefined) throw new Error(`there is no ${path}, only ${[...this.files.keys()].join(', ')}`);
    return text;
  }

  json(path: string): never {
    return JSON.parse(this.file(path)) as never;
  }

  start(): void {
    this.do({ type: 'start', owner: 'docket', lease: processLease });
  }

  order(...steps: Order[]): void {
    const n = (this.task.run?.n ?? 0) + 1;
    this.do({ type: 'dispatch', n, goal: `goal ${n}`, steps: steps.map(stepOf), orders: '{}' });
  }

  begin(step: string, session?: string): void {
    const n = (this.task.attempts?.[step]?.n ?? 0) + 1;
    const { agent } = this.task.run!.steps.find(({ id }) => id === step)!;
    this.do({ type: 'begin', step, n, agent, adapter: 'codex', mark: 'm', ...(session && { session }) });
  }

  end(
    step: string,
    state: 'done' | 'failed' | 'blocked' | 'canceled',
    report?: object,
    reason?: string,
  ): void {
    const attempt = this.task.attempts?.[step];
    if (attempt && !attempt.end)
      this.do({ type: 'end', step, n: attempt.n, outcome: 'ok', ...(report && { report: report as never }) });
    this.do({ type: 'finish', step, state, ...(reason !== undefined && { reason }) });
  }

  work(step: string, report: object = success): void {
    this.begin(step, `thread-${step}`);
    this.end(step, 'done', report);
  }

  ask(step: string): void {
    this.do({ type: 'ask', gate: `gate-${step}`, kind: 'human-approval', reason: 'which database?', step });
  }

  join(): void {
    this.do({ type: 'join' });
  }

  hold(): void {
    this.do({ type: 'block', reason: { kind: 'gate', text: 'a gate is closed', who: 'a person' } });
  }

  settle(): void {
    this.do({ type: 'settle', verdict: { kind: 'pass' }, summary: 'all of it' });
  }

  /** The phases in the order in which the log tells them. */
  get phases(): unknown[] {
    return this.payloads('controller.state.changed').map(({ state }) => state);
  }

  payloads(type: string): Record<string, unknown>[] {
    const notes = this.lines.filter((line): line is Extract<Event, { type: 'note' }> => line.type === 'note');
    return notes.filter(({ data }) => data.type === type).map(({ data }) => data.payload as never);
  }
}

export const success = {
  status: 'success',
  summary: 'It is done.',
  changes: ['src/a.ts: added'],
  evidence: [
    { kind: 'file', ref: 'src/a.ts:3-9', note: 'the new function' },
    { kind: 'command', ref: 'npm test' },
    { kind: 'url', ref: 'https://example.com' },
  ],
  risks: [],
  nextActions: ['write docs'],
  questions: [],
  errors: [],
};

function stepOf(order: Order): Step {
  const { id } = order;
  return { kind: 'work', title: `Title of ${id}`, role: 'backend', agent: 'codex-exec', needs: [], ...order };
}
