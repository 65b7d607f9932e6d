import type { AgentEvent, Question, SessionWish, Usage } from '../adapter/adapter.ts';
import type { Agent } from '../adapter/agent.ts';
import { DocketError } from '../errors.ts';
import { sleepUnless } from '../io/clock.ts';
import type { Report } from '../report/schema.ts';
import type { Backend, Claim } from '../store/backend.ts';
import type { Step } from '../task/run.ts';
import type { BlockReason, Task } from '../task/schema.ts';
import { due, type Effect } from '../workflow/advance.ts';
import type { Fate } from './fate.ts';
import { Heartbeat } from './heartbeat.ts';
import { gateOf, withdrawStale } from './questions.ts';
import { Recorder, type Entry } from './recorder.ts';
import { holding, settling } from './settling.ts';
import type { Contract, StepResult } from './step.ts';
import { workStep } from './work-step.ts';

/** Everything about a step that only its layout and the settings know. */
export interface StepOrder {
  agent: Agent;
  cwd: string;
  prompt: string;
  /** Where an attempt has its files. */
  folder: (n: number) => string;
  session?: SessionWish;
  /** What that conversation had used when this step came to it. */
  usedBefore?: Usage;
  goOn?: string;
  contract?: Contract;
  /** Errors are not tried again, because its judge decides about that. Default: there is one. */
  once?: boolean;
  /** What is written down with an attempt whose agent was never called, because docket died before. */
  uncalled?: (task: Task) => Entry[];
  /** Takes out what must not be written down of an agent's own words about its failure. */
  redact?: (text: string) => Promise<string>;
  /** Judges what came of a try. Absent: the report does. */
  judge?: (result: StepResult, attempt: number, recorder: Recorder, signal: AbortSignal) => Promise<Judged>;
  /** Leaves things in order when the step stops here and goes on later. */
  stopped?: () => Promise<void>;
  /** What is written down together with its success: the steps that a planner ordered, say. */
  also?: (value: unknown, task: Task) => Promise<Entry[]>;
}

/** A step that docket does itself. */
export interface OwnOrder {
  does: (signal: AbortSignal) => Promise<Judged>;
}

/** A verdict on a try. `again`: it is to be tried once more, so. */
export interface Judged {
  fate: Fate;
  /** In the place of what the agent handed back. */
  report?: Report;
  also?: Entry[];
  again?: {
    prompt: string;
    /** What it is told instead in the same conversation. */
    goOn?: string;
    pauseMs: number;
  };
}

export interface WorkflowOptions {
  store: Backend;
  /** Who writes, in the words of the layout. */
  by: string;
  /** How many agents at once, as things are. */
  slots: number | ((task: Task) => number);
  /** These steps alone, and whatever they need. */
  only?: ReadonlySet<string>;
  /** What fails here is this step's failure. */
  order: (step: Step, task: Task) => Promise<StepOrder | OwnOrder>;
  /** The order for the next round's planning step. */
  plan?: (task: Task, round: number) => Promise<Entry>;
  /** What follows in a run that a graph leads, when nothing is at work. `over`: that was the end. */
  next?: (task: Task) => Promise<{ entries: Entry[]; over: boolean }>;
  /** What people's notes say now, kept for later and named by its hash. */
  notes: () => Promise<string | undefined>;
  /** What proves the end, for people to look at. */
  evidence: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  now: () => number;
  onProgress?: (progress: StepProgress) => void;
  /** Answers what an agent asks in the middle of its turn; absent: the question becomes a gate. */
  ask?: (question: Question) => Promise<string>;
}

export type StepProgress = { step: Step } & (
  | { kind: 'started'; attempt: number; agent: string }
  | { kind: 'event'; attempt: number; event: AgentEvent }
  | { kind: 'ended'; state: string; summary: string }
);

/** A claimed task with many steps: performs what is due until nothing is. Returns the task as it is then. */
export async function runWorkflow(claim: Claim, options: WorkflowOptions): Promise<Task> {
  const { store, by, now } = options;
  const recorder = new Recorder(store, claim.task, by, now);
  const heartbeat = new Heartbeat(store, claim);
  const conductor = new Conductor(recorder, options, heartbeat.signal);
  try {
    await withdrawStale(recorder);
    await conductor.run();
    return recorder.task;
  } catch (error) {
    // Somebody else decided about it, and that counts. Our agents were ended, and we have nothing to say.
    if (error instanceof DocketError && error.code === 'FENCED')
      return (await store.get(claim.task.id)) ?? claim.task;
    throw error;
  } finally {
    heartbeat.close();
    await claim.release().catch(() => undefined);
  }
}

const lookEveryMs = 1000;

class Conductor {
  readonly #recorder: Recorder;
  readonly #options: WorkflowOptions;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #busy = new Map<string, Promise<void>>();
  #fault: { error: unknown } | undefined;
  /** What the whole run waits for. */
  #held: BlockReason | undefined;

  constructor(recorder: Recorder, options: WorkflowOptions, lost: AbortSignal) {
    this.#recorder = recorder;
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, lost, this.#stop.signal]);
  }

  async run(): Promise<void> {
    try {
      while (!this.#signal.aborted) {
        const { run } = await this.#recorder.refresh();
        if (!run) break;
        const busy = new Set(this.#busy.keys());
        if (this.#held && busy.size === 0) return await this.#recorder.write(holding(this.#held));
        const { only } = this.#options;
        const effects = this.#held ? [] : due(run, { busy, slots: this.#slots() - busy.size, only });
        for (const effect of effects) if (await this.#perform(effect)) return;
        if (effects.length === 0) await this.#somethingNew();
      }
    } catch (error) {
      this.#failed(error);
    }
    await Promise.all(this.#busy.values());
    if (this.#fault) throw this.#fault.error;
    await this.#recorder.write({ type: 'requeue', reason: 'docket was interrupted' });
  }

  #slots(): number {
    const { slots } = this.#options;
    return typeof slots === 'number' ? slots : slots(this.#recorder.task);
  }

  /** True: that was the end. */
  async #perform(effect: Effect): Promise<boolean> {
    const recorder = this.#recorder;
    switch (effect.type) {
      case 'start':
        this.#start(effect.step);
        return false;
      case 'ask':
        await recorder.write(...(await this.#closed(effect.step)));
        return false;
      case 'pass':
        await recorder.write({ type: 'finish', step: effect.step.id, state: 'done' });
        return false;
      case 'skip':
        await recorder.write({
          type: 'finish',
          step: effect.step.id,
          state: 'failed',
          reason: effect.reason,
        });
        this.#tell(effect.step, 'failed', effect.reason);
        return false;
      case 'join':
        await recorder.write({ type: 'join' });
        return false;
      case 'plan':
        if (!this.#options.plan) throw new Error('there is a planner, and nobody to make its orders');
        await recorder.write(await this.#options.plan(recorder.task, effect.round));
        return false;
      case 'next': {
        if (!this.#options.next) throw new Error('a graph leads this run, and nobody follows it');
        const { entries, over } = await this.#options.next(recorder.task);
        await recorder.write(...entries);
        return over;
      }
      case 'finish':
        await recorder.write(settling(recorder.task, effect.as, this.#options.evidence));
        return true;
    }
  }

  #start(step: Step): void {
    const done = workStep(step, {
      ...this.#options,
      recorder: this.#recorder,
      signal: this.#signal,
      tell: (state, summary) => this.#tell(step, state, summary),
    }).then(
      (held) => void (this.#held ??= held),
      (error: unknown) => this.#failed(error),
    );
    const tracked: Promise<void> = done.finally(() => this.#busy.delete(step.id));
    this.#busy.set(step.id, tracked);
  }

  /** A step that a person does: it is blocked by its own gate. */
  async #closed({ id, title }: Step): Promise<Entry[]> {
    const notes = await this.#options.notes();
    return [
      { type: 'finish', step: id, state: 'blocked', reason: title },
      {
        type: 'ask',
        gate: id.startsWith('gate-') ? id : gateOf(id),
        kind: 'milestone-gate',
        step: id,
        reason: title,
        ...(notes !== undefined && { notes }),
      },
    ];
  }

  /** A fault of ours, or the machine's: the others are ended, and it is thrown when they are. */
  #failed(error: unknown): void {
    this.#fault ??= { error };
    this.#stop.abort('shutdown');
  }

  /** A step ended, or, while one waits for somebody, somebody may have acted. */
  async #somethingNew(): Promise<void> {
    const waits = Object.values(this.#recorder.task.run?.gates ?? {}).some(
      ({ state }) => state === 'blocked',
    );
    const pause = new AbortController();
    const look = waits ? [sleepUnless(lookEveryMs, AbortSignal.any([this.#signal, pause.signal]))] : [];
    await Promise.race([...this.#busy.values(), ...look]);
    pause.abort();
  }

  #tell(step: Step, state: string, summary: string): void {
    this.#options.onProgress?.({ step, kind: 'ended', state, summary });
  }
}
