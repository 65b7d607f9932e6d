import path from 'node:path';
import type { AgentEvent } from '../adapters/adapter.ts';
import { findAdapter } from '../adapters/adapters.ts';
import { logReader } from '../adapters/log-reader.ts';
import { hasFailed, type KnownTools, useOf } from '../adapters/tool-use.ts';
import { DocketError } from '../errors.ts';
import { type AgentRun, isOpenShell, partsOf } from '../gate/agent-runs.ts';
import { judgeClaims, type JudgedClaim, type Seen } from '../gate/claims.ts';
import { exists } from '../io/links.ts';
import { ownPlacesIn } from '../io/own-places.ts';
import { longestLine, readLines } from '../io/process/lines.ts';
import { places } from '../io/process/supervisor.ts';
import { type Claims, claimsIn } from '../report/claims.ts';
import type { Task } from '../task/schema.ts';
import { ignoredIn } from '../workspace/ignore-rules.ts';
import { type ReportedPlace, reportedTree } from '../workspace/reported-tree.ts';
import type { AttemptLog } from './attempt-logs.ts';

type Report = Readonly<Record<string, unknown>>;

/** Claims, the folder that they speak from, and the step that makes them. */
export interface Said {
  claims: Claims;
  from: string;
  step?: string;
  /** Where its agent says that it worked, instead of the task's work tree. */
  place?: ReportedPlace;
  /** Another tool ran it: docket did not see what it changed. */
  unseen?: true;
}

/** What there is to hold them against. */
interface Known extends Pick<Seen, 'changed' | 'ran'> {
  cwd: string;
  /** Of the task's attempts, oldest first. */
  logs: () => readonly AttemptLog[];
}

/** A claim with the step that made it. */
type StepClaim = JudgedClaim & { step?: string };

export async function checkClaims(task: Task, said: readonly Said[], known: Known): Promise<StepClaim[]> {
  const { cwd, changed, ran, logs } = known;
  let told: Promise<AgentRuns> | undefined;
  const judged: StepClaim[] = [];
  for (const { claims, from, step, place, unseen } of said) {
    const other = place && (await reportedTree(cwd, place));
    const about = step === undefined ? {} : { step };
    if (other && 'problem' in other) {
      const what = place?.worktreePath ?? place?.branch ?? '';
      judged.push({ what, ok: false, note: `the report names it as its place: ${other.problem}`, ...about });
      continue;
    }
    const base = place?.worktreePath === undefined ? cwd : path.resolve(cwd, place.worktreePath);
    const inTree = (name: string) => (other ? placeOf(name, base, '.') : placeOf(name, cwd, from));
    const isThere = other?.exists ?? ((name: string) => exists(path.join(cwd, name)));
    const ignored = (paths: readonly string[]) => ignoredIn(cwd, paths);
    const seen = other ? other.changed : unseen ? undefined : changed;
    const byAgents = async () => {
      const { runs, whole } = await (told ??= agentRuns(task, logs()));
      return { runs, isWhole: step !== undefined && whole.has(step) };
    };
    const found = await judgeClaims(claims, {
      changed: seen,
      ran,
      inTree,
      exists: isThere,
      ignored,
      byAgents,
    });
    judged.push(...found.map((claim) => ({ ...claim, ...about })));
  }
  return judged;
}

/**
 * What the reports say. Of many rounds the last one that says it changed something counts, and what came after it: what an
 * earlier one made may rightly be gone. `handed`: a report of the last step that is not written down yet.
 */
export function saidIn({ run, attempts }: Task, handed: Report | undefined): Said[] {
  const starts = run ? [...run.rounds, run.steps.length] : [];
  const rounds = starts.slice(0, -1).map((start, at) =>
    (run?.steps.slice(start, starts[at + 1]) ?? []).flatMap((step): Said[] => {
      const { state, report } = run?.states[step.id] ?? {};
      if (state !== 'done' || report?.['status'] !== 'success') return [];
      const place = placeIn(report);
      const isUnseen = step.foreign && !attempts?.[step.id];
      return [
        {
          claims: claimsIn(report),
          from: step.cwd ?? '.',
          step: step.id,
          ...(place && { place }),
          ...(isUnseen && { unseen: true }),
        },
      ];
    }),
  );
  const step = run?.steps.at(-1)?.id;
  if (handed) rounds.push([{ claims: claimsIn(handed), from: '.', ...(step !== undefined && { step }) }]);
  const last = rounds.findLastIndex((round) => round.some(({ claims }) => claims.saysChanged));
  return rounds.slice(Math.max(0, last)).flat();
}

function placeIn({ artifacts }: Report): ReportedPlace | undefined {
  if (typeof artifacts !== 'object' || artifacts === null) return undefined;
  const { worktreePath, branch } = artifacts as Record<string, unknown>;
  const place = {
    ...(typeof worktreePath === 'string' && { worktreePath }),
    ...(typeof branch === 'string' && { branch }),
  };
  return Object.keys(place).length > 0 ? place : undefined;
}

/** From the work tree. Undefined: it is outside, or docket's own. */
function placeOf(name: string, cwd: string, from: string): string | undefined {
  const below = (base: string) => path.relative(cwd, path.resolve(cwd, base, name)).replaceAll(path.sep, '/');
  const [top, inner] = [below('.'), below(from)];
  const place = top !== inner && exists(path.join(cwd, inner)) ? inner : top;
  const isOutside = place === '' || place === '..' || place.startsWith('../') || path.isAbsolute(place);
  return isOutside || ownPlacesIn(cwd)(place) || place.startsWith('.takt/') ? undefined : place;
}

/** What the agents of a task told about the commands they ran. */
interface AgentRuns {
  runs: AgentRun[];
  /** Of these steps every command is known. */
  whole: ReadonlySet<string>;
}

const still = { ended: true, more: async () => undefined };

/** From the logs, oldest first. Agents can write there, too: what stands there proves nothing, it only shows who did not tell the truth. */
async function agentRuns({ attempts = {} }: Task, logs: readonly AttemptLog[]): Promise<AgentRuns> {
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
