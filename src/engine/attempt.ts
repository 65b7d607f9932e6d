import type { AgentEvent, AgentRequest, Host, Launch, Question } from '../adapter/adapter.ts';
import type { Agent } from '../adapter/agent.ts';
import { withCost } from '../adapter/cost.ts';
import { addEvent, emptyTurn, type Turn } from '../adapter/fold.ts';
import { assertHeld } from '../adapter/hold.ts';
import { DocketError } from '../errors.ts';
import { adoptProcess } from '../io/process/adopt.ts';
import { allowedEnv } from '../io/process/environment.ts';
import type { AgentProcess, StopReason } from '../io/process/process.ts';
import { sandboxed } from '../io/process/sandbox.ts';
import { startProcess } from '../io/process/start.ts';
import { Watchdog } from './watchdog.ts';

export interface AttemptOptions {
  agent: Agent;
  mark: string;
  request: Omit<
    AgentRequest,
    | 'permission'
    | 'sandboxed'
    | 'model'
    | 'effort'
    | 'approvalMode'
    | 'ownSandbox'
    | 'home'
    | 'command'
    | 'approvals'
  >;
  /** Take over the process that an earlier docket started in this folder, instead of starting one. */
  adopt?: boolean;
  signal?: AbortSignal;
  onEvent?: (event: AgentEvent) => void | Promise<void>;
  /** Asks a person, until the signal: then nobody waits for the answer. Absent: the answer to every question is no. */
  ask?: (question: Question, signal: AbortSignal) => Promise<string>;
  now: () => number;
}

/** One call of an agent: started, watched, held to its limits, and folded into what it came to. It never throws for what the agent does. */
export async function runAttempt(options: AttemptOptions): Promise<Turn> {
  const { agent } = options;
  const turn = emptyTurn();
  const host = new ProcessHost(options);
  let told: AgentEvent | undefined;
  try {
    assertHeld(agent);
    for await (const event of agent.adapter.run(requestOf(options), host)) {
      host.saw(event);
      addEvent(turn, event);
      told = event;
      const writing = options.onEvent?.(event);
      if (writing) await writing; // a turn of the event loop for each of a million lines is felt
      told = undefined;
    }
  } catch (error) {
    // What cannot even start is this attempt's failure. A full disk is nobody's; what goes wrong where we write down
    // an event, and what we do not know, is a fault of ours. These are thrown.
    if (told || !(error instanceof DocketError) || error.code === 'DISK_FULL') throw error;
    turn.error = { class: 'tooling', message: `${error.message} (${error.fix})` };
  } finally {
    await host.close();
  }
  if (turn.usage) turn.usage = withCost(turn.usage, agent.price);
  return turn;
}

function requestOf({ agent, request }: AttemptOptions): AgentRequest {
  return {
    ...request,
    env: { ...request.env, ...agent.env },
    permission: agent.permission,
    sandboxed: agent.sandbox !== 'none',
    approvals: agent.approvals,
    ...(agent.model !== undefined && { model: agent.model }),
    ...(agent.effort !== undefined && { effort: agent.effort }),
    ...(agent.approvalMode !== undefined && { approvalMode: agent.approvalMode }),
    ...(agent.ownSandbox !== undefined && { ownSandbox: agent.ownSandbox }),
    ...(agent.home !== undefined && { home: agent.home }),
    ...(agent.command !== undefined && { command: agent.command }),
  };
}

/** What the adapter starts its process with. Whatever happens, nothing is left running when it is closed. */
class ProcessHost implements Host {
  readonly #options: AttemptOptions;
  readonly #opened: { process: AgentProcess; watchdog: Watchdog }[] = [];

  constructor(options: AttemptOptions) {
    this.#options = options;
    this.now = options.now;
  }

  readonly now: () => number;

  async start(launch: Launch): Promise<AgentProcess> {
    const { agent, signal } = this.#options;
    const process = await this.#open(launch);
    const patient = !agent.adapter.capabilities.toolStarts;
    this.#opened.push({ process, watchdog: new Watchdog(process, agent.limits, { patient }) });
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
    const { agent, request, mark, adopt } = this.#options;
    const { adapter, limits } = agent;
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
    const env = {
      ...allowedEnv(request.env, { pass: adapter.passEnv, cwd: request.cwd }),
      ...agent.env,
      ...launch.env, // last: what holds the agent is in there
    };
    const where = { env: request.env, ...(agent.home !== undefined && { home: agent.home }) };
    const argv =
      agent.sandbox === 'none'
        ? launch.argv
        : await sandboxed(launch.argv, {
            cwd: request.cwd,
            readOnly: agent.permission === 'read',
            dir: request.dir,
            mark,
            network: agent.network,
            writable: adapter.writable(where),
            env,
          });
    return startProcess({
      argv,
      cwd: request.cwd,
      env,
      stdin: launch.stdin,
      dir: request.dir,
      mark,
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
  }

  async close(): Promise<void> {
    for (const { process, watchdog } of this.#opened) {
      watchdog.close();
      await process.stop('canceled');
    }
  }
}
