import path from 'node:path';
import type { AgentEvent, AgentRequest, Host, Launch, Question } from '../adapters/adapter.ts';
import { type Agent, assertHeld } from '../adapters/agent.ts';
import { addEvent, emptyTurn, type Turn, withCost } from '../adapters/fold.ts';
import { DocketError } from '../errors.ts';
import { command, fix } from '../errors/command.ts';
import { assertRoom } from '../io/disk.ts';
import { exists } from '../io/links.ts';
import { adoptProcess } from '../io/process/adopt.ts';
import type { AgentProcess, StopReason } from '../io/process/process.ts';
import { startProcess } from '../io/process/start.ts';
import { commandAndEnv } from './agent-command.ts';
import { AttemptMask, type Masking } from './masking.ts';
import { confinedAgent, ProviderOnly } from './untrusted-agent.ts';
import { Watchdog } from './watchdog.ts';

const refused = /read-only file system|\bEROFS\b|device or resource busy|\bEBUSY\b/i;
const most = 20;
const longest = 200;

/**
 * What the sandbox kept an agent from writing, as far as its own events tell: a tool that failed, in the words that the
 * system has for it. Of a program that tells nothing of its tools nobody knows; it is held all the same.
 */
class Refusals {
  readonly #open = new Map<string, string>();
  readonly #told = new Set<string>();

  saw(event: AgentEvent): void {
    if (event.type !== 'tool') return;
    if (event.phase === 'start') {
      if (event.input !== undefined && this.#open.size < most) this.#open.set(event.id, event.input);
      return;
    }
    const what = `${event.name} ${this.#open.get(event.id) ?? ''}`.trim().slice(0, longest);
    this.#open.delete(event.id);
    if (!event.ok && refused.test(event.output ?? '') && this.#told.size < most) this.#told.add(what);
  }

  denied(): AgentEvent[] {
    return [...this.#told].map((what) => ({
      type: 'denied',
      text: `the sandbox kept it from writing: ${what}`,
    }));
  }
}

/** What the settings of an agent may say, and its adapter hands on. */
const handedOn = ['model', 'effort', 'approvalMode', 'ownSandbox', 'home', 'command'] as const;
type HandedOn = (typeof handedOn)[number];

export interface AttemptOptions {
  agent: Agent;
  /** For a task that nobody vouches for: the agent is held to less. */
  low?: boolean;
  mark: string;
  request: Omit<AgentRequest, HandedOn | 'permission' | 'sandboxed' | 'approvals'>;
  /** Take over the process that an earlier docket started in this folder, instead of starting one. */
  adopt?: boolean;
  signal?: AbortSignal;
  onEvent?: (event: AgentEvent) => void | Promise<void>;
  /** Asks a person, until the signal: then nobody waits for the answer. Absent: the answer to every question is no. */
  ask?: (question: Question, signal: AbortSignal) => Promise<string>;
  now: () => number;
  /** When an earlier docket started it. "Resets at 7pm" is meant from then on, however much later it is read. */
  since?: number;
  /** Takes secrets out of what it is told, says and leaves. Absent: nobody knows any. */
  masking?: Masking;
}

/** One call of an agent: started, watched, held to its limits, and folded into what it came to. It never throws for what the agent does. */
export async function runAttempt(given: AttemptOptions): Promise<Turn> {
  const options = { ...given };
  const turn = emptyTurn();
  const host = new ProcessHost(options);
  let told: AgentEvent | undefined;
  try {
    if (given.low) options.agent = await confinedAgent(given.agent, given.request.about.taskId);
    const { agent } = options;
    assertHeld(agent);
    for await (const said of agent.adapter.run(requestOf(options), host)) {
      const event = host.mask?.event(said) ?? said;
      host.saw(event);
      addEvent(turn, event);
      told = event;
      const writing = options.onEvent?.(event);
      if (writing) await writing; // a turn of the event loop for each of a million lines is felt
      told = undefined;
    }
    for (const event of host.denied()) {
      addEvent(turn, event);
      await options.onEvent?.(event);
    }
  } catch (error) {
    // What cannot even start is this attempt's failure. A full disk is nobody's; what goes wrong where we write down
    // an event, and what we do not know, is a fault of ours. These are thrown.
    if (told || !(error instanceof DocketError) || error.code === 'DISK_FULL') throw error;
    const message = `${error.message} (${error.fix})`;
    turn.error = { class: 'tooling', message: host.mask?.text(message) ?? message };
  } finally {
    await host.close();
  }
  // Who finds no room dies without a word, and its exit code is lost: that is no try of the work.
  if (turn.error?.class === 'crashed') assertRoom(given.request.dir);
  if (turn.error?.class === 'stall' || turn.error?.class === 'timeout')
    turn.error.message = [turn.error.message, ...host.evidence()].join(': ');
  if (turn.error?.class === 'crashed' && given.low && options.agent.sandbox !== 'none')
    turn.error.message += hiddenFrom(turn.error.message, given.request.about.taskId);
  if (turn.usage) turn.usage = withCost(turn.usage, given.agent.price);
  return turn;
}

function requestOf({ agent, request, masking }: AttemptOptions): AgentRequest {
  const given = handedOn.flatMap((name) => (agent[name] === undefined ? [] : [[name, agent[name]]]));
  return {
    ...request,
    prompt: masking?.text(request.prompt) ?? request.prompt,
    env: { ...request.env, ...agent.env },
    permission: agent.permission,
    sandboxed: agent.sandbox !== 'none',
    approvals: agent.approvals,
    ...(Object.fromEntries(given) as Partial<Pick<Agent, HandedOn>>),
  };
}

/** What the adapter starts its process with. Whatever happens, nothing is left running when it is closed. */
class ProcessHost implements Host {
  readonly #options: AttemptOptions;
  readonly #opened: { process: AgentProcess; watchdog: Watchdog }[] = [];
  readonly #way = new ProviderOnly();
  readonly #refusals = new Refusals();

  constructor(options: AttemptOptions) {
    this.#options = options;
    const { since, now } = options;
    this.now = since === undefined ? now : () => since;
    this.mask = options.masking && new AttemptMask(options.masking);
  }

  readonly mask: AttemptMask | undefined;
  readonly now: () => number;

  async start(launch: Launch): Promise<AgentProcess> {
    const { agent, signal } = this.#options;
    const opened = await this.#open(launch);
    const process = this.mask?.process(opened) ?? opened;
    const patient = !agent.adapter.capabilities.toolStarts;
    this.#opened.push({
      process,
      watchdog: new Watchdog(process, agent.limits, { patient, now: this.#options.now }),
    });
    await this.#way.open(agent, this.#options.mark, this.#options.request.env);
    const stop = (): void => {
      const reason: StopReason = signal?.reason === 'shutdown' ? 'shutdown' : 'canceled';
      process.stop(reason).catch(() => undefined); // told by its end
    };
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    process.exited.then(
      () => signal?.removeEventListener('abort', stop),
      () => undefined,
    );
    return process;
  }

  async #open(launch: Launch): Promise<AgentProcess> {
    const { agent, request, mark, adopt, masking } = this.#options;
    const { limits } = agent;
    const caps = { graceMs: limits.graceMs, maxOutputBytes: limits.outputBytes };
    if (adopt) {
      const found = adoptProcess({ dir: request.dir, mark, ...caps });
      if (found) return found;
      throw new DocketError(
        'NOT_FOUND',
        `nothing is left of the process in ${request.dir}`,
        'start it again',
      );
    }
    return startProcess({
      ...(await commandAndEnv(launch, { agent, request, mark })),
      cwd: request.cwd,
      stdin: launch.stdin,
      dir: request.dir,
      mark,
      ...(masking && { mask: masking }),
      ...caps,
    });
  }

  async ask(question: Question): Promise<string> {
    const { ask } = this.#options;
    if (ask) {
      const answered = this.#opened.map(({ watchdog }) => watchdog.holdsQuestion());
      try {
        const waiting = this.#waiting();
        const answer = await ask(question, waiting);
        // What is told to go hears no answer: it would take it for a person's no, and finish without what it asked for.
        if (waiting.aborted) await Promise.allSettled(this.#opened.map(({ process }) => process.exited));
        return answer;
      } finally {
        for (const over of answered) over();
      }
    }
    return question.options.find(({ kind }) => kind === 'deny')?.id ?? '';
  }

  /** Aborted when its process is gone or told to go. */
  #waiting(): AbortSignal {
    const over = new AbortController();
    for (const { process } of this.#opened) process.exited.finally(() => over.abort()).catch(() => undefined);
    const { signal } = this.#options;
    return signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  }

  saw(event: AgentEvent): void {
    for (const { watchdog } of this.#opened) watchdog.saw(event);
    if (this.#options.agent.sandbox !== 'none') this.#refusals.saw(event);
  }

  /** What was seen when it had to be ended. */
  evidence(): string[] {
    return this.#opened.flatMap(({ watchdog }) => watchdog.evidence ?? []);
  }

  denied(): AgentEvent[] {
    return [...this.#way.denied(), ...this.#refusals.denied()];
  }

  async close(): Promise<void> {
    this.#way.close();
    for (const { process, watchdog } of this.#opened) {
      watchdog.close();
      await process.stop('canceled');
    }
    if (this.#opened.length > 0) await this.mask?.folder(this.#options.request.dir);
  }
}

const wanting =
  /no such file|not found|cannot find|can't open|could not (?:open|find)|ENOENT|MODULE_NOT_FOUND|EACCES|permission denied/i;

/**
 * For an agent that died in the sandbox of a task that nobody vouches for, and speaks of something that is missing: a person
 * who looks for it finds it there. What is missing outside as well is no matter of the sandbox.
 */
export function hiddenFrom(message: string, taskId: string): string {
  if (!wanting.test(message)) return '';
  const named =
    message.match(/(?<![\w.])\/[^\s:'"`,;()]+/g)?.filter((file) => path.dirname(file) !== '/') ?? [];
  const there = named.find((file) => exists(file));
  if (named.length > 0 && there === undefined) return '';
  const what = there === undefined ? 'most of your folders' : `${there} or what it needs`;
  return fix`; it ran in the sandbox for low trust, which may hide ${what}: ${command`trust ${taskId} high`} (if you vouch for it) runs it without, trust.paths opens a folder`
    .text;
}
