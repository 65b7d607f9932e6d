import { sleepUnless } from '../io/clock.ts';
import type { Step } from '../task/run.ts';
import type { BlockReason } from '../task/schema.ts';
import { due, type Effect } from '../workflow/advance.ts';
import type { Recorder } from './recorder.ts';
import { closing, endWell, type Facts, holding, settling, stuckIn } from './run-end.ts';
import type { WorkflowOptions } from './run-workflow.ts';
import { workStep } from './work-step.ts';

const lookEveryMs = 1000;

/** Performs what is due in a run, one effect after the other, and waits for the steps that are at work. */
export class Conductor {
  readonly #recorder: Recorder;
  readonly #options: WorkflowOptions;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #busy = new Map<string, Promise<void>>();
  #fault: { error: unknown } | undefined;
  /** The variables of its environment, asked for by the first step. */
  #ready: Promise<Readonly<Record<string, string>>> | undefined;
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
        this.#held ??= stuckIn(this.#recorder.task, this.#options.loops);
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
    // Of what was changed that no agent may change a person hears, also when docket is stopped: nobody sees it again.
    const held = this.#held?.kind === 'scope' ? this.#held : undefined;
    await this.#recorder.write(held ? holding(held) : { type: 'requeue', reason: 'docket was interrupted' });
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
        await recorder.write(...closing(effect.step, await this.#options.notes()));
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
        const next = await this.#options.next(recorder.task);
        if ('done' in next) return this.#done(next.done);
        await recorder.write(...next.entries);
        return next.over;
      }
      case 'finish':
        if (effect.as === 'done')
          return this.#done(async (ids) => [settling(recorder.task, 'done', this.#options.evidence, ids)]);
        await recorder.write(settling(recorder.task, effect.as, this.#options.evidence));
        return true;
    }
  }

  #start(step: Step): void {
    const done = workStep(step, {
      ...this.#options,
      recorder: this.#recorder,
      signal: this.#signal,
      ready: () => (this.#ready ??= this.#prepare()),
      tell: (state, summary) => this.#tell(step, state, summary),
    }).then(
      (held) => void (this.#held = held?.kind === 'scope' ? held : (this.#held ?? held)),
      (error: unknown) => this.#failed(error),
    );
    const tracked: Promise<void> = done.finally(() => this.#busy.delete(step.id));
    this.#busy.set(step.id, tracked);
  }

  async #prepare(): Promise<Readonly<Record<string, string>>> {
    const variables = (await this.#options.taskEnvironment?.ready(this.#signal)) ?? {};
    await this.#options.prove?.begin();
    return variables;
  }

  #done(facts: Facts): Promise<boolean> {
    const { prove, env, notes } = this.#options;
    return endWell(facts, {
      recorder: this.#recorder,
      prove,
      notes,
      env: async () => ({ ...env, ...(await (this.#ready ??= this.#prepare())) }),
      signal: this.#signal,
    });
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
    const told = this.#options.masking?.text(summary) ?? summary;
    const { id, title, role } = step;
    const agent = this.#recorder.task.attempts?.[id]?.agent ?? step.agent;
    this.#options.onProgress?.({ step: id, title, role, agent, kind: 'stepped', state, summary: told });
  }
}
