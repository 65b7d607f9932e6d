import type { AgentError } from '../adapters/adapter.ts';
import type { Agent } from '../adapters/agent.ts';
import { command, fix } from '../errors/command.ts';
import { sleepUnless } from '../io/clock.ts';
import { counts, type Answer, type DayCaps } from '../meter/admit.ts';
import type { Here, Parked } from '../meter/book.ts';
import type { Asked, Meter } from '../meter/meter.ts';
import { openAttempts } from '../task/allowed.ts';
import { amount, reachedBy, type Caps, type Most, type Reached } from '../task/caps.ts';
import type { Step } from '../task/run.ts';
import type { BlockReason, Task } from '../task/schema.ts';
import type { Used } from '../task/used-schema.ts';
import { nothingUsed } from '../task/used.ts';

/** What every run is held to, whatever its layout: limits of providers, budgets, and who stands in for whom. */
export interface Holds {
  meter: Meter;
  here: Here;
  budgets: Budgets;
  /** For all tasks of a day together. */
  day: readonly DayCaps[];
  /** Who does a step while the provider of its agent is left alone, the first choice first. */
  standIns: (step: Step, agent: Agent) => Promise<Agent[]>;
  /** Waits in the time of `now`. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Budgets {
  /** Of one call: its agent is ended there. */
  attempt?: Caps;
  step?: Caps;
  task?: Caps;
  run?: Caps;
  /** Calls whose price nobody knows, where money is capped. Absent: they are refused. */
  unknownPrice?: 'refuse' | 'allow';
}

interface Asking {
  step: string;
  agent: Agent;
  mark: string;
  /** It is taken over from a docket that died. */
  begun: boolean;
  task: () => Task;
  signal: AbortSignal;
}

const lookEveryMs = 500;

/** Why a call must not be made. Undefined: nothing speaks against it now. Nothing is written down yet. */
export async function heldBack(holds: Holds, asking: Asking): Promise<BlockReason | undefined> {
  const unpriced = priceless(holds, asking.agent, asking.task().spec.budget);
  if (unpriced) return unpriced;
  for (;;) {
    const found = ownCap(holds, asking) ?? refusalOf(holds.meter.peek(asked(holds, asking)), asking.agent);
    if (!found || asking.signal.aborted) return undefined;
    if (found !== 'waits') return found;
    await (holds.sleep ?? sleepUnless)(lookEveryMs, asking.signal);
  }
}

/** It is still within the task's own caps. Steps at work beside it may have begun since it was looked at. */
export function fits(holds: Holds | undefined, asking: Asking): boolean {
  return holds === undefined || ownCap(holds, asking) === undefined;
}

/** The call is in the book, or there is a reason why not. Others may have been quicker since it was looked at. */
export async function admitted(holds: Holds, asking: Asking): Promise<BlockReason | undefined> {
  for (;;) {
    const answer = await holds.meter.admit(asked(holds, asking));
    const found = refusalOf(answer, asking.agent);
    if (found !== 'waits') return found;
    if (asking.signal.aborted) return { kind: 'budget', text: 'docket was interrupted', who: 'docket' };
    await (holds.sleep ?? sleepUnless)(lookEveryMs, asking.signal);
  }
}

function asked({ here, day, budgets }: Holds, { mark, agent, task, step, begun }: Asking): Asked {
  return {
    mark,
    provider: agent.provider,
    agent: agent.name,
    ...here,
    task: task().id,
    step,
    caps: day,
    ...(begun && { begun }),
    most: mostOf(budgets, agent),
  };
}

/** The most that one call may come to: its agent is ended there. */
function mostOf({ attempt }: Budgets, { free }: Agent): Most {
  const { calls: _, ...most } = attempt ?? {};
  return free ? { ...most, tokens: 0, money: 0 } : most;
}

/** The caps of the task itself, its run and the step: their sums are in its own journal. */
function ownCap(
  { budgets }: Holds,
  { task: now, step, mark, agent }: Asking,
): BlockReason | 'waits' | undefined {
  const task = now();
  const others = openAttempts(task).filter((one) => one.mark !== mark);
  const most = mostOf(budgets, agent);
  const of = (calls: number) => ({ calls, most });
  const sums = [
    ['step', { ...budgets.step }, task.attempts?.[step]?.used, of(0)],
    ['run', budgets.run, task.run?.used, of(others.length)],
    ['task', { ...budgets.task, ...task.spec.budget }, task.used, of(others.length)],
  ] as const;
  for (const [scope, caps, used, flight] of sums) {
    const reached = reachedBy(caps, withUntold(used ?? nothingUsed, most), flight);
    if (reached?.waits) return 'waits';
    if (reached) return isOwn(scope, reached, task) ? ownReason(reached, task) : capReason(scope, reached);
  }
  return undefined;
}

/** A call of which nobody knows counts as the most that it may have come to. */
function withUntold(used: Used, { tokens = 0, money = 0 }: Most): Used {
  const { untold = 0 } = used;
  return { ...used, tokens: used.tokens + untold * tokens, money: used.money + untold * money };
}

function isOwn(scope: string, { unit }: Reached, { spec }: Task): boolean {
  return scope === 'task' && spec.budget?.[unit] !== undefined;
}

/** A packet has its budget from its manifest, a task of the queue from a command. */
function ownReason(reached: Reached, { id, extras }: Task): BlockReason {
  const { unit, used } = reached;
  const raise = 'queue' in extras ? command`retry ${id} --budget ${unit}=NUMBER` : 'in its manifest';
  return {
    kind: 'budget',
    text: fix`its own budget: ${amount(reached)} are used; raise it (${raise})`.text,
    who: 'a person',
    cap: { scope: 'own', unit, used },
  };
}

function refusalOf(answer: Answer, agent: Agent): BlockReason | 'waits' | undefined {
  switch (answer.kind) {
    case 'go':
      return undefined;
    case 'parked':
      return parkedReason(agent, answer.parked);
    case 'cap':
      return answer.reached.waits ? 'waits' : capReason(answer.scope, answer.reached);
  }
}

export function parkedReason({ provider }: Pick<Agent, 'provider'>, parked: Parked): BlockReason {
  const { kind, reason, until, told } = parked;
  const text = `${reason.slice(0, 1900)} (${told ? 'until' : 'tried again'} ${until})`;
  return { kind, text, who: 'docket', resumesAt: until, provider };
}

/** What a call heard of its provider, for whoever asks next. */
export function noticeOf({ message, class: kind, resetAt }: AgentError, as: Parked['kind'], source: string) {
  const reason = `${kind}: ${message}`.slice(0, 1000);
  return { kind: as, reason, source, ...(resetAt !== undefined && { resetAt }) };
}

interface Unreached {
  holds?: Holds;
  agent: Agent;
  recorder: { task: Task };
  step: string;
}

/** A provider that cannot be reached is nobody's fault: it is left alone for a while, and the step goes on then. */
export async function unreachable(
  error: AgentError,
  { holds, agent, recorder, step }: Unreached,
): Promise<BlockReason | undefined> {
  if (!holds || error.class !== 'transient') return undefined;
  const notice = noticeOf(error, 'provider', `${recorder.task.id}/${step}`);
  return parkedReason(agent, await holds.meter.park(agent.provider, notice));
}

function capReason(scope: string, reached: Reached): BlockReason {
  const isUsers = scope.startsWith('user.');
  const cap = `${isUsers ? scope.slice('user.'.length) : scope}.${reached.unit}`;
  const whose = isUsers ? ' of your own settings' : '';
  const raise = isUsers ? command`budget set --user ${cap} NUMBER` : command`budget set ${cap} NUMBER`;
  const text =
    fix`${cap}${whose}: ${amount(reached)} are used; raise it (${raise}), and the next run goes on with it`
      .text;
  const { unit, used } = reached;
  return { kind: 'budget', text, who: 'a person', cap: { scope, unit, used } };
}

/** A cap on money holds nothing where nobody knows the price. */
export function priceless({ budgets, day, here }: Holds, agent: Agent, own?: Caps): BlockReason | undefined {
  if (budgets.unknownPrice === 'allow' || agent.price || agent.free || agent.adapter.capabilities.costs)
    return undefined;
  const { name, provider, model } = agent;
  const ofDay = day.filter((one) => counts(one, { ...here, provider }));
  const scope = moneyCap(budgets, ofDay, own);
  if (scope === undefined) return undefined;
  const whose = model ?? `the model of agent ${name}`;
  const text = `money is capped, and nobody knows the price of ${whose}: write it under prices in .docket/config.yaml (and the model of the agent), or budgets.unknownPrice: allow; the next run goes on with it`;
  const unpriced = { agent: name, provider, ...(model !== undefined && { model }) };
  return { kind: 'budget', text, who: 'a person', cap: { scope, unit: 'money', used: 0, unpriced } };
}

/** Which cap on money there is, the task's own first. */
export function moneyCap(budgets: Budgets, ofDay: readonly DayCaps[], own?: Caps): string | undefined {
  const { attempt, step, task, run } = budgets;
  const all: readonly (readonly [string, Caps | undefined])[] = [
    ['own', own],
    ...Object.entries({ attempt, step, task, run }),
    ...ofDay.map(({ scope, caps }) => [scope, caps] as const),
  ];
  return all.find(([, caps]) => caps?.money !== undefined)?.[0];
}
