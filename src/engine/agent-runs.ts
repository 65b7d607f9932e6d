import type { AgentEvent } from '../adapters/adapter.ts';
import { findAdapter } from '../adapters/adapters.ts';
import { logReader } from '../adapters/log-reader.ts';
import { hasFailed, useOf, type KnownTools } from '../adapters/tool-use.ts';
import { DocketError } from '../errors.ts';
import type { AgentRun } from '../gate/agent-runs.ts';
import { isOpenShell, partsOf } from '../gate/named-command.ts';
import { longestLine, readLines } from '../io/process/lines.ts';
import { places } from '../io/process/supervisor.ts';
import type { Task } from '../task/schema.ts';

/** What an attempt left of what its agent said. */
export interface AttemptLog {
  step: string;
  dir: () => string;
  adapter: string;
  session?: string;
}

/** What the agents of a task told about the commands they ran. */
export interface AgentRuns {
  runs: AgentRun[];
  /** Of these steps every command is known. */
  whole: ReadonlySet<string>;
}

const still = { ended: true, more: async () => undefined };

/** From the logs, oldest first. Agents can write there, too: what stands there proves nothing, it only shows who did not tell the truth. */
export async function agentRuns({ attempts = {} }: Task, logs: readonly AttemptLog[]): Promise<AgentRuns> {
  const runs: AgentRun[] = [];
  const told = new Map<string, Reading[]>();
  for (const log of logs) {
    const reading = new Reading((await findAdapter(log.adapter))?.tools);
    await readInto(reading, log);
    if (reading.hasEdited) for (const run of runs) run.isStale = true;
    runs.push(...reading.runs);
    told.set(log.step, [...(told.get(log.step) ?? []), reading]);
  }
  const whole = Object.values(attempts).filter(({ step, n }) => {
    const all = told.get(step) ?? [];
    return all.length >= n && all.every(({ isWhole, hasBegun }) => isWhole && hasBegun);
  });
  return { runs, whole: new Set(whole.map(({ step }) => step)) };
}

async function readInto(reading: Reading, { dir, adapter, session }: AttemptLog): Promise<void> {
  const read = await logReader(adapter, session);
  try {
    for await (const line of readLines(places(dir()).stdout, longestLine, still)) {
      if (line.cut !== undefined) reading.isWhole = false;
      for (const event of read(line)) reading.add(event);
    }
  } catch (error) {
    // It is the agent's to spoil: then nobody knows what it ran.
    if (!(error instanceof DocketError)) throw error;
    reading.isWhole = false;
  }
}

/** One attempt's log. */
class Reading {
  readonly runs: AgentRun[] = [];
  hasEdited = false;
  /** It was by this vendor's agent, and came so far as to have a session. */
  hasBegun = false;
  isWhole = true;
  readonly #tools: KnownTools | undefined;
  readonly #open = new Map<string, AgentRun>();
  #ended: AgentRun | undefined;

  constructor(tools: KnownTools | undefined) {
    this.#tools = tools;
  }

  add(event: AgentEvent): void {
    if (event.type === 'session') this.hasBegun = true;
    else if (event.type === 'file') this.#edited();
    // Of one that was not let run nobody can say that it failed.
    else if (event.type === 'denied' && this.#ended) this.#ended.ok = null;
    else if (event.type === 'tool' && event.phase === 'start') this.#began(event);
    else if (event.type === 'tool' && event.phase === 'end') {
      this.#ended = this.#open.get(event.id);
      this.#open.delete(event.id);
      if (this.#ended) this.#ended.ok = event.ok ? true : hasFailed(this.#tools, event) ? false : null;
    }
  }

  #began(event: Parameters<typeof useOf>[1]): void {
    const use = useOf(this.#tools, event);
    if (use.kind === 'unknown') this.isWhole = false;
    if (use.kind !== 'command') return;
    // A shell that is left open can be told anything afterwards.
    if (use.isCut || partsOf(use.line).some(isOpenShell)) this.isWhole = false;
    const run: AgentRun = { line: use.line, ok: null, isStale: false };
    this.runs.push(run);
    this.#open.set(event.id, run);
  }

  #edited(): void {
    this.hasEdited = true;
    for (const run of this.runs) run.isStale = true;
  }
}
