import fs from 'node:fs';
import path from 'node:path';
import { wholeBook } from '../../src/meter/book-file.ts';
import { emptyBook, applyEvent, parkedNow, type Call, type MeterEvent } from '../../src/meter/book.ts';

/** A line of the agents' diary. */
export interface Said {
  at: string;
  mark: string;
  event: 'call' | 'end';
  provider: string;
  session?: string;
  how: 'new' | 'resume';
  /** Whose work it is. */
  name?: string;
  /** The length of what it was told. */
  words?: number;
  what?: 'limit' | 'outage' | 'served' | 'lost';
}

/** An attempt as the journals have it. */
export interface Tried {
  mark: string;
  task: string;
  step: string;
  agent: string;
  n: number;
  outcome?: string;
  uncalled?: boolean;
}

export function diaryIn(night: string): Said[] {
  const file = path.join(night, 'diary.jsonl');
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Said);
}

/** Every journal of a root, whatever the layout. */
function journalsIn(root: string): string[] {
  const below = (folder: string, ...rest: string[]) =>
    fs.existsSync(path.join(root, folder))
      ? fs.readdirSync(path.join(root, folder)).map((id) => path.join(root, folder, id, ...rest))
      : [];
  const files = [
    path.join(root, '.docket/queue/journal.jsonl'),
    path.join(root, 'state/tasks.jsonl'),
    ...below('.agentmesh/tasks', 'events.jsonl'),
    ...below('.tmp/task', 'state', 'docket', 'journal.jsonl'),
  ];
  return files.filter((file) => fs.existsSync(file));
}

export function attemptsIn(root: string): Tried[] {
  const tried = new Map<string, Tried>();
  for (const line of journalsIn(root).flatMap((file) => fs.readFileSync(file, 'utf8').split('\n'))) {
    if (!line.includes('attempt')) continue;
    const { taskId, type: plain, docket, data, payload } = JSON.parse(line) as Line;
    const type = docket?.type ?? plain;
    const about = (data ?? payload) as Omit<Tried, 'task'>;
    const key = `${taskId} ${about.step} ${about.n}`;
    if (type === 'attempt.started') tried.set(key, { ...about, task: taskId });
    const { outcome, uncalled } = about;
    if (type === 'attempt.ended')
      Object.assign(tried.get(key) as Tried, { outcome, ...(uncalled && { uncalled }) });
  }
  return [...tried.values()];
}

interface Line {
  taskId: string;
  type: string;
  docket?: { type: string };
  data?: object;
  payload?: object;
}

/** The account book of a user: what was ever written, and every call that was made. */
export class Accounts {
  readonly events: MeterEvent[];
  readonly calls: Readonly<Record<string, Call>>;
  /** When each call was seen to be over. */
  readonly ended: ReadonlyMap<string, number>;
  /** Calls that were let through to a provider that is left alone. */
  readonly faults: string[] = [];

  constructor(state: string) {
    this.events = [...wholeBook(path.join(state, 'meter'))];
    const calls: Record<string, Call> = {};
    let book = emptyBook();
    for (const event of this.events) {
      if (event.type === 'reserved' && !calls[event.mark]) {
        const { provider, probe } = event.call;
        const parked = parkedNow(book, provider);
        const tries = Object.entries(book.calls).filter(([, one]) => one.probe && one.provider === provider);
        const others = tries.filter(([, one]) => !one.used && !one.lost);
        if (parked && (!probe || Date.parse(parked.until) > Date.parse(event.at) || others.length > 0))
          this.faults.push(`${event.mark} was let through to ${provider}`);
      }
      book = applyEvent(book, event);
      Object.assign(calls, book.calls);
      if (event.type === 'voided') delete calls[event.mark];
    }
    this.calls = calls;
    this.ended = new Map(
      this.events.flatMap((event) => (event.type === 'settled' ? [[event.mark, Date.parse(event.at)]] : [])),
    );
  }

  /** How often a provider was left alone, and what was known of the end. */
  parked(provider: string): string[] {
    return this.events.flatMap((event) =>
      event.type === 'parked' && event.provider === provider
        ? [`${event.parked.kind} ${event.parked.told ? 'told' : 'guessed'} ${event.parked.strikes}`]
        : [],
    );
  }

  spent(provider: string): number {
    const used = Object.values(this.calls).filter((call) => call.provider === provider);
    return used.reduce((sum, call) => sum + (call.used?.money ?? 0), 0);
  }
}

/** So long, by the night's clock, nobody waits who is only tried again. */
const waitMs = 10 * 60_000;

/** Steps whose conversation was another after a wait than before. */
export function changedOver(diary: readonly Said[], stepOf: (mark: string) => string): string[] {
  const last = new Map<string, Said & { until: number }>();
  const changed: string[] = [];
  for (const one of diary) {
    const step = stepOf(one.mark);
    const at = Date.parse(one.at);
    const before = last.get(step);
    if (one.event === 'call' && before && at - before.until > waitMs && one.session !== before.session)
      changed.push(step);
    last.set(step, { ...one, until: at });
  }
  return changed;
}
