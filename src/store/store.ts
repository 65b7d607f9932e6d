import type { Clock } from '../io/clock.ts';
import type { LockKind } from '../io/lock.ts';
import type { LazyLayout, Layout } from '../layout/layout.ts';
import type { TaskView } from '../task/needs.ts';
import type { Conditions, Order } from '../task/pick.ts';
import type { Event, NewEvent, ProcessLease, Task, TaskOf } from '../task/schema.ts';
import type { Status } from '../task/status.ts';
import type { Overview } from './overview.ts';
import type { Brief } from './shelf.ts';

export type { Brief };

/** Where the files of a store are. */
export interface FilePlace {
  /** The folder that people's files are relative to. */
  root: string;
  /** The store's own folder. */
  dir: string;
  layout: Pick<LazyLayout, 'log'>;
}

export interface StorePlace extends FilePlace {
  layout: LazyLayout;
}

/** What can be asked of a store without a lock and without writing a byte: nothing is made that is not there. */
export interface StoreReader {
  /** The tasks as they are now. `query` says which of them `use` looks at: others need not be there. */
  read<T>(query: ReadQuery, use: (tasks: TaskIndex, notes: ReadNotes) => T): Promise<T>;
  /** Every event of a task, oldest first, also from journals that were put away. */
  history(id: string): Promise<Event[]>;
  /** All events after a point, then live ones as they are committed, until the signal. */
  tail(options: { after: number; signal: AbortSignal }): AsyncIterable<Event>;
  /** The last event that was committed. Undefined: nothing ever was. */
  last(): Promise<Event | undefined>;
  /** A small value beside the tasks, as the last job left it. */
  state(name: string): Promise<StateValue>;
  /** Another value as soon as something was committed. Undefined: nothing ever was. */
  version(): Promise<string | undefined>;
  /** Yields when somebody may have changed something: since the last claim, since the call, or since it yielded last. */
  changes(signal: AbortSignal): AsyncIterable<void>;
  readonly blobs: Pick<Blobs, 'get'>;
}

/**
 * The one interface to a task store. The file store implements it over a journal, the memory store over an
 * array, a database can. No path, lock or table shows through. `test/conformance/store.ts` says what it means.
 */
export interface Store extends StoreReader {
  /** All events or none. What it was based on is checked at the moment of writing, not before. */
  transact(tx: Tx): Promise<Outcome>;
  get(id: string): Promise<Task | undefined>;
  list(query?: ListQuery): Promise<Task[]>;
  /** Starts the next tasks for a worker of this process. Claims of dead workers are freed first. */
  claim(request: ClaimRequest): Promise<Claim[]>;
  /** Asks now whether a claim still holds. Its signal tells it anyway, a little later. */
  beat(claim: Claim): Promise<ClaimState>;
  /** Who works on something, and whether they still live. */
  workers(): Promise<Worker[]>;
  readonly blobs: Blobs;
  /**
   * One job with the store to itself: nothing of anybody else comes between what it reads and what it commits. It may be
   * run again, so it does nothing beside that. `keys`: ids of the tasks that it reads, as far as they are known before.
   */
  exclusive<T>(keys: readonly string[], job: Job<T>): Promise<T>;
  /** The time that terms and leases are compared with. */
  now(): Promise<string>;
  /** Puts the events of the past away: they are history then, and no longer read to know how tasks are. */
  compact(): Promise<void>;
  /** What people must mend in their files. What docket can mend by itself, it has mended by then. */
  doctor(): Promise<Finding[]>;
  close(): Promise<void>;
}

export type Commit = (tx: Tx) => Outcome;

type Job<T> = (tasks: TaskIndex, commit: Commit, now: string, state: State) => T;

export type StateValue = Readonly<Record<string, unknown>>;

/** Small values beside the tasks. A job's values are kept before its events: there are never events without them. */
export interface State {
  /** Without a key: nobody has set it. */
  get(name: string): StateValue;
  set(name: string, value: StateValue): void;
}

/** durable: an acknowledged commit survives power loss. relaxed: it survives our death; power loss costs ≤ 1 s. */
export type Durability = 'durable' | 'relaxed';

/** A store in plain files, beside which people may have a file of its tasks. */
export interface FileStore extends Store {
  /** What people must fix in their files, as of the last look at them. */
  findings(): Finding[];
  /** Carries out the removals that were held, or forgets them. */
  answerRemovals(confirm: boolean, by: string): Promise<AnsweredRemoval[]>;
}

export interface FileStoreOptions {
  /** The folder that people's files are relative to. */
  root: string;
  /** The store's own folder. */
  dir: string;
  layout: Layout;
  clock?: Clock;
  durability?: Durability;
  /** How long a command waits for other processes before it gives up (exit 75). */
  lockWaitMs?: number;
  /** In a burst of commits the files follow within this time; 0 = at every commit. */
  projectionLagMs?: number;
  /** People's files are looked at when they have been quiet for so long: a save takes a moment. */
  settleMs?: number;
  lockKind?: LockKind;
  lease?: LeaseTerms;
  warn?: (warning: string) => void;
}

/** A removal that a person decided; `refused`: why it was not carried out. */
export interface AnsweredRemoval {
  id: string;
  name: string;
  refused?: string;
}

export interface Tx {
  events: readonly NewEvent[];
  /** The revision of every task that the decision looked at; 0 = it did not exist. */
  expect: Readonly<Record<string, number>>;
  /** Fencing tokens that must still be current, by task id. */
  tokens?: Readonly<Record<string, number>>;
  /** The same key never commits twice: a retry after an unclear answer is safe. Without events it only asks. */
  key?: string;
  /** Kept with the key, for who has to know whether it was used for the same words. */
  digest?: string;
}

export type Outcome =
  | { kind: 'committed'; events: Event[] }
  | { kind: 'duplicate'; seq: number }
  | { kind: 'conflict'; id: string; expected: number; actual: number }
  | { kind: 'fenced'; id: string; token: number; current: number | undefined };

export interface ListQuery {
  status?: readonly Status[];
  /** Also tasks that were taken off the board; they are kept for ever, but seldom wanted. */
  removed?: boolean;
}

export interface ReadQuery extends ListQuery {
  /** Only this task. One that is over is as the store has it, whatever people's file says. */
  only?: string;
  /** People's file is read even if nobody has edited it: for the order of its tasks, and all that is wrong in it. */
  whole?: true;
  /** Only active tasks and those of the overview are asked for; the index is not to be used after the read. */
  overview?: true;
}

/** Tasks in memory. One is parsed when somebody asks for it. */
export interface TaskIndex extends TaskView {
  /** The last event that is known. */
  readonly seq: number;
  readonly size: number;
  ids(): Iterable<string>;
  /** In the order in which they were made. */
  list(query?: ListQuery): Task[];
  /** The same as JSON. */
  listTexts(query?: ListQuery): string[];
  /** All of them, in no order. */
  briefs(): Iterable<Brief>;
  overview(): Overview;
  active(): Iterable<Task>;
  /** Is the event short enough to be kept? */
  fits(event: NewEvent): boolean;
}

/** What a read tells beside the tasks. */
export interface ReadNotes {
  /** What people must fix in their files. */
  findings: readonly Finding[];
  /** Tasks whose worker has died: they are shown as queued, and no event says so yet. */
  freed: ReadonlySet<string>;
  /** People's file was read: it may say what the store does not know yet. */
  fromFile: boolean;
  /** Where tasks stand in people's file. Only a whole read knows it. */
  order?: (tasks: Iterable<Task>) => Order | undefined;
}

export interface ClaimRequest {
  owner: string;
  max: number;
  conditions?: Omit<Conditions, 'now'>;
  /** Only these tasks. */
  only?: readonly string[];
  /** Not these. */
  except?: ReadonlySet<string>;
}

/** lost: the task is somebody else's, or its run is over. */
export type ClaimState = 'ok' | 'lost' | 'canceled';

export interface Claim {
  task: TaskOf<'running'>;
  token: number;
  /** Aborts when the claim no longer holds; its reason is the state. The store asks for it, however long the work takes. */
  readonly signal: AbortSignal;
  /** When it ends without another answer of the store, in ms. Infinity: a lock holds it for as long as this process lives. */
  readonly until: number;
  /** Gives the process lease up. The task's status is the business of a command, not of this. */
  release(): Promise<void>;
}

export interface LeaseTerms {
  /** How often the store is asked whether claims still hold. */
  beatMs?: number;
  /** How long they hold without an answer. */
  leaseMs?: number;
}

export interface Worker {
  owner: string;
  lease: ProcessLease;
  alive: boolean;
  /** Ids of the tasks that it works on, or has handed in. */
  holds: string[];
}

export interface Blobs {
  put(bytes: Uint8Array): Promise<string>;
  /** Undefined when there is none; an error when its bytes no longer match their name. */
  get(sha256: string): Promise<Uint8Array | undefined>;
}

export interface Finding {
  severity: 'note' | 'warning' | 'error';
  path: string;
  line?: number;
  column?: number;
  message: string;
  fix: string;
  /** The command that answers it, where that is not `docket validate`. */
  next?: readonly string[];
}
