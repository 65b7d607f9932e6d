import { doingText, type Happened } from '../frame/progress-text.ts';

/** One step that an agent is at work on. */
export interface LiveRow {
  key: string;
  task: string;
  step: string;
  agent: string;
  since: number;
  /** The last thing it did, in a few words. */
  doing: string;
  /** As far as it has said. */
  tokens?: number;
  cost?: number;
}

/** How far the whole is; without a total nobody knows how much there is. */
export interface Counts {
  done: number;
  failed: number;
  blocked: number;
  total?: number;
}

/** What a person in front of a terminal sees. */
export interface LiveState {
  since: number;
  rows: readonly LiveRow[];
  counts: Counts;
  /** Of all calls, those that have ended included. */
  tokens?: number;
  cost?: number;
}

export type LiveChange =
  /** `replaces`: it takes the place of that row. */
  | ({ kind: 'begin'; at: number; replaces?: string } & Pick<LiveRow, 'key' | 'task' | 'step' | 'agent'>)
  | ({ kind: 'event'; key: string } & Happened)
  | { kind: 'end'; key: string }
  | { kind: 'counts'; counts: Counts };

export function liveState(since: number): LiveState {
  return { since, rows: [], counts: { done: 0, failed: 0, blocked: 0 } };
}

/** Rows stay in the order in which they began, so that none jumps while it is read. */
export function liveAfter(state: LiveState, change: LiveChange): LiveState {
  switch (change.kind) {
    case 'begin': {
      const { kind: _, at, replaces, ...about } = change;
      const row = { ...about, since: at, doing: '' };
      const place = state.rows.findIndex(({ key }) => key === row.key || key === replaces);
      const old = state.rows[place];
      const isSame = old?.key === row.key;
      return {
        ...state,
        rows: old ? state.rows.with(place, { ...row, ...(isSame && usedBy(old)) }) : [...state.rows, row],
      };
    }
    case 'event':
      return afterEvent(state, change);
    case 'end':
      return { ...state, rows: state.rows.filter(({ key }) => key !== change.key) };
    case 'counts':
      return { ...state, counts: change.counts };
  }
}

function afterEvent(
  state: LiveState,
  { key, event, attempt }: Extract<LiveChange, { kind: 'event' }>,
): LiveState {
  const doing = doingText({ event, attempt });
  const turn = event.type === 'usage' ? event.turn : undefined;
  if (doing === undefined && turn === undefined) return state;
  const used = turn && {
    tokens: turn.input + turn.output,
    ...(turn.cost !== undefined && { cost: turn.cost }),
  };
  const rows = state.rows.map((row) =>
    row.key === key ? { ...row, ...plus(row, used), ...(doing !== undefined && { doing }) } : row,
  );
  return { ...state, ...plus(state, used), rows };
}

type Used = Pick<LiveRow, 'tokens' | 'cost'>;

function plus(a: Used, b: Used | undefined): Used {
  if (!b) return {};
  return {
    tokens: (a.tokens ?? 0) + (b.tokens ?? 0),
    ...(b.cost !== undefined && { cost: (a.cost ?? 0) + b.cost }),
  };
}

/** A further attempt of a step counts on. */
function usedBy({ tokens, cost }: LiveRow): Used {
  return { ...(tokens !== undefined && { tokens }), ...(cost !== undefined && { cost }) };
}

/** How many have begun, and how they ended. What goes on again has not ended. */
export class Tally {
  readonly #states = new Map<string, string>();
  readonly #awaited = new Set<string>();
  /** As many as there should be; more may come. */
  expected: number | undefined;

  /** This one is to come, beside those that are expected. */
  awaits(key: string): void {
    this.#awaited.add(key);
  }

  begin(key: string): void {
    this.#states.set(key, '');
  }

  end(key: string, state: string): void {
    this.#states.set(key, state);
  }

  get counts(): Counts {
    const count = (...states: string[]) =>
      [...this.#states.values()].filter((one) => states.includes(one)).length;
    return {
      done: count('done'),
      failed: count('failed', 'canceled'),
      blocked: count('blocked'),
      ...(this.expected !== undefined && {
        total: Math.max(this.expected + this.#awaited.size, this.#states.size),
      }),
    };
  }
}
