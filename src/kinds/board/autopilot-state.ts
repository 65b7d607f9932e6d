import { randomUUID } from 'node:crypto';
import type { State, StateValue } from '../../store/store.ts';
import { isObject } from '../../task/json.ts';
import type { Sheet } from './apply.ts';
import { wholeSeconds } from './format/task.ts';

/** The value in the board's store. */
export const autopilotName = 'autopilot';
const usualSteps = 2;
const mostSteps = 10;
const mostOrdered = 1000;

/** What the autopilot is to do, whoever does it and however often docket is started anew. */
export interface AutopilotState {
  /** Auto progress: it goes on for as long as there is something to do. */
  enabled: boolean;
  /** Steps of one pass. */
  maxSteps: number;
  /** Steps of an `autopilot N` that nobody has begun yet. */
  stepsLeft: number;
  /** Of the last order: a message that comes twice orders once. */
  lastKey?: string;
  /** The last of the steps that was begun: how the log knows it, and how long the log was then. */
  taken?: { key: string; seq: number };
}

export function autopilotIn({ enabled, maxSteps, stepsLeft, lastKey, taken }: StateValue): AutopilotState {
  const { key, seq } = isObject(taken) ? taken : {};
  return {
    enabled: enabled === true,
    maxSteps: within(maxSteps, 1, mostSteps) ?? usualSteps,
    stepsLeft: within(stepsLeft, 0, mostOrdered) ?? 0,
    ...(typeof lastKey === 'string' && { lastKey }),
    ...(typeof key === 'string' && typeof seq === 'number' && { taken: { key, seq } }),
  };
}

export function readAutopilot(state: Pick<State, 'get'>): AutopilotState {
  return autopilotIn(state.get(autopilotName));
}

/** The log remembers the keys of so many lines at least. */
const remembered = 5000;

/**
 * How many steps of an `autopilot N` nobody has begun. The file is written before the log: a step that the log knows
 * nothing of, because docket died in between, is still to be done.
 */
export function stepsLeft({ ledger, commit, state }: Pick<Sheet, 'ledger' | 'commit' | 'state'>): number {
  const { stepsLeft: left, taken } = readAutopilot(state);
  if (!taken || ledger.seq - taken.seq > remembered) return left;
  const isBegun = commit({ events: [], expect: {}, key: taken.key }).kind === 'duplicate';
  return isBegun ? left : left + 1;
}

/** One of them is begun: the key under which that is to be written down in the log. */
export function takeStep(sheet: Sheet): string | undefined {
  const left = stepsLeft(sheet);
  if (left === 0) return undefined;
  const taken = { key: `autopilot:${randomUUID()}`, seq: sheet.ledger.seq };
  setAutopilot(sheet.state, { stepsLeft: left - 1, taken }, sheet.now);
  return taken.key;
}

/** For who holds the board's lock. Keys that are not ours stay. */
export function setAutopilot(state: State, set: Partial<AutopilotState>, now: string): AutopilotState {
  const next = { ...readAutopilot(state), ...set };
  const { enabled, lastKey, taken } = next;
  const maxSteps = Math.min(Math.max(Math.trunc(next.maxSteps), 1), mostSteps);
  const stepsLeft = Math.min(Math.max(Math.trunc(next.stepsLeft), 0), mostOrdered);
  const { stepsLeft: _, ...others } = state.get(autopilotName);
  const own = {
    ...(stepsLeft > 0 && { stepsLeft }),
    ...(lastKey !== undefined && { lastKey }),
    ...(taken && { taken }),
  };
  state.set(autopilotName, { ...others, enabled, maxSteps, updatedAt: wholeSeconds(now), ...own });
  return { enabled, maxSteps, stepsLeft };
}

function within(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= least
    ? Math.min(value, most)
    : undefined;
}
