import { derived } from '../../../../src/kinds/packet/format/derived.ts';
import type { StageFacts } from '../../../../src/kinds/packet/format/facts.ts';
import { packetLayout } from '../../../../src/kinds/packet/format/layout.ts';
import { withOwn, withSignature } from '../../../../src/kinds/packet/format/own.ts';
import type { Command } from '../../../../src/task/command.ts';
import type { Json } from '../../../../src/task/json.ts';
import type { Task } from '../../../../src/task/schema.ts';
import { processLease, World } from '../../../task/world.ts';

type Own<T> = T extends Command ? Omit<T, 'id' | 'by' | 'token'> : never;

export const manifestText = `# The work of a morning.
task_id: "20260218-001"
goal: Retry what can be retried
routing: { intent: safe_impl }
scope: { allow: [src/], deny: [.env] }
acceptance: { commands: [npm test], criteria: [the tests pass] }
budgets: { retry_budget: 2, paid_call_budget: 10, max_wallclock_sec: 900 }
context: { digest_policy: off }
`;

export const safeImpl = ['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review'];

/** One packet's life: commands through decide and evolve, and what its files say after each. */
export class PacketLife {
  readonly world = new World();
  readonly files = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  readonly id: string;

  constructor(text = manifestText) {
    const [entry] = packetLayout.split(text).entries;
    const parsed = packetLayout.parse(entry!);
    if ('wrong' in parsed) throw new Error(parsed.wrong.message);
    const adopted = packetLayout.adopt(parsed.fields, entry!.ref);
    if (!('commands' in adopted)) throw new Error(adopted.message);
    this.id = adopted.id;
    for (const command of adopted.commands) this.do(command);
  }

  get task(): Task {
    return this.world.task(this.id);
  }

  do(command: Own<Command>): Task {
    const before = this.world.tasks.get(this.id);
    const token = before && 'token' in before ? { token: before.token } : {};
    this.world.ms += 1000;
    this.world.must({ by: 'docket', ...token, ...command, id: this.id } as Command);
    this.write();
    return this.task;
  }

  /** What the store does: files whose key is new are asked for; undefined takes one away. */
  write(): void {
    for (const file of derived(this.task)) {
      const { path, key } = file;
      if (this.#keys.get(path) === key) continue;
      const next = file.text(this.files.get(path));
      if (next === undefined) this.files.delete(path);
      else this.files.set(path, next);
      this.#keys.set(path, key);
    }
  }

  get summary(): string {
    return this.files.get('outputs/_summary.md') ?? '';
  }

  json(path: string): unknown {
    const text = this.files.get(path);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  start(stages: readonly string[] = safeImpl): this {
    this.do({ type: 'start', owner: 'docket', lease: processLease });
    const steps = stages.map((id, at) => ({
      id,
      kind: 'work' as const,
      title: id,
      role: 'a role',
      agent: 'an agent',
      needs: stages.slice(Math.max(0, at - 1), at),
    }));
    this.do({ type: 'dispatch', n: 1, goal: 'all', steps, orders: '{}' });
    return this;
  }

  begin(stage: string): void {
    const n = (this.task.attempts?.[stage]?.n ?? 0) + 1;
    this.do({ type: 'begin', step: stage, n, agent: 'codex', adapter: 'codex', mark: 'm' });
  }

  end(stage: string, facts: Partial<StageFacts> = {}): void {
    const { n } = this.task.attempts![stage]!;
    const report = { status: 'success', summary: '', artifacts: { stage: this.facts(stage, facts) } };
    const outcome = facts.failure ? 'failed' : 'ok';
    this.do({ type: 'end', step: stage, n, outcome, report: report as unknown as Record<string, Json> });
    const { failure } = facts;
    if (!failure) return;
    const extras = withSignature(this.task.extras, failure.signature, failure.class, this.world.now);
    this.do({ type: 'edit', set: { extras } });
  }

  keep(set: Record<string, Json>): void {
    this.do({ type: 'edit', set: { extras: withOwn(this.task.extras, set) } });
  }

  pass(stage: string): void {
    this.begin(stage);
    this.end(stage);
    this.do({ type: 'finish', step: stage, state: 'done' });
  }

  fail(stage: string, facts: Partial<StageFacts>, reason = 'it failed'): void {
    this.begin(stage);
    this.end(stage, facts);
    this.do({ type: 'finish', step: stage, state: 'failed', reason });
    this.do({ type: 'fail', failure: { error: reason, step: stage } });
  }

  facts(stage: string, some: Partial<StageFacts> = {}): StageFacts {
    const [tool = '', ...role] = stage.split('_');
    return {
      stage,
      tool,
      role: role.join('_'),
      exit_code: 0,
      start: this.task.attempts?.[stage]?.startedAt ?? this.world.now,
      end: this.world.now,
      duration_sec: 90,
      prompt_sha256: 'ab'.repeat(32),
      gate: { result: 'pass', reasons: [] },
      err: { lines: 0, head: [], tail: [] },
      out: { lines: 12 },
      ...some,
    };
  }
}

export const broken = {
  exit_code: 12,
  failure: { class: 'transient' as const, signature: 'sig:0123456789abcdef', actions: ['resume', 'look'] },
  err: { lines: 1, head: ['Error: ECONNRESET'], tail: [] },
};
