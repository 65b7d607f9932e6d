import type { Act, ActInput } from '../kinds/act.ts';
import type { AddInput } from '../kinds/add-input.ts';
import type { Board } from '../kinds/board/board.ts';
import type { BoardTools } from '../kinds/board/tools.ts';
import type { TaskDirectories } from '../kinds/directory/directories.ts';
import type { FoundTask } from '../kinds/kind.ts';
import type { Packets } from '../kinds/packet/packets.ts';
import type { QueueFiles } from '../kinds/queue/files.ts';
import type { FinishedWork } from '../kinds/queue/finished.ts';
import type { TryInput, TryResult } from '../kinds/try-agent.ts';
import type { Explanation } from '../render/explain/types.ts';
import type { GateAnswer, TaskGate } from '../render/gates.ts';
import type { Finding } from '../store/store.ts';
import type { StoreView } from '../store/view.ts';
import type { Task } from '../task/schema.ts';
import type { Status } from '../task/status.ts';
import type { AgentInfo } from './agents/list-agents.ts';
import type { Chats } from './chat/chats.ts';
import type { Repaired } from './check/repair.ts';
import type { DiskUse } from './disk.ts';
import type { DoctorFinding } from './doctor/check.ts';
import type { DoctorInput } from './doctor/doctor.ts';
import type { ShownTask } from './explain/show.ts';
import type { Change } from './feed/feed.ts';
import type { AgentSide } from './for-agent/api.ts';
import type { Initialized, InitInput } from './init/init.ts';
import type { LogEntry, LogQuery } from './logs/api.ts';
import type { Spending } from './money/spending.ts';
import type { NameSource } from './names.ts';
import type { Notices } from './notify/notices.ts';
import type { PlannedTask } from './plan.ts';
import type { Processes } from './ps/api.ts';
import type { Root } from './root.ts';
import type { RanTask, RunInput } from './run.ts';
import type { Skill } from './skill/install.ts';
import type { Acted, Answered, TrustInput } from './tasks/act.ts';
import type { EvidenceQuery, ReadEvidence } from './tasks/evidence.ts';
import type { Viewer } from './view/view.ts';
import type { Workflows } from './workflow/workflows.ts';

/** The facade that every surface uses. */
export interface Docket {
  readonly root: string;
  /** How it was found. */
  readonly found: Root;
  /** Are there settings for this project? */
  isSetUp(): Promise<boolean>;
  add(input: AddInput): Promise<Task>;
  /** Reads only: takes no lock, creates and writes nothing. */
  list(query: { status?: readonly Status[] }): Promise<StoreView>;
  /** The same with each task as its JSON text: what stands so on disk need not be parsed to be printed. */
  listTexts(query: { status?: readonly Status[] }): Promise<Omit<StoreView, 'tasks'> & { tasks: string[] }>;
  /** What is wrong with the queue's file, as the last `add` or `run` saw it. Reads nothing. */
  findings(): Finding[];
  /** The names that can be typed for tasks, agents or workflows. Reads only. */
  names(source: NameSource): Promise<string[]>;
  /** Runs what is queued, until nothing is left that could start now. */
  run(input: RunInput): Promise<RanTask[]>;
  /** What `run` would start first, in order, and why the rest waits. Changes nothing. */
  plan(input: Pick<RunInput, 'tasks' | 'agent'>): Promise<PlannedTask[]>;
  /** The agents that can be named, and what is known about them without spending a call. */
  agents(): Promise<AgentInfo[]>;
  /** All layouts at once: what runs, what waits and for what, what needs a person, what it cost. */
  view(): Promise<Viewer>;
  /** Task directories, each with many agents and steps. */
  tasks(): Promise<TaskDirectories>;
  /** The task of any kind that a person means: by id, name, `kind:name`, or a unique beginning. Reads only. */
  find(ref: string, of?: string): Promise<FoundTask>;
  /** Cancels tasks of any kind, or puts them back: each by itself, and one that is refused stops no other. */
  act(act: Act, refs: readonly string[], input: ActInput & { of?: string }): Promise<Acted[]>;
  /** The questions of one task, or of all. */
  gates(ref?: string, of?: string): Promise<TaskGate[]>;
  answer(ref: string, gate: string, answer: GateAnswer & { of?: string }): Promise<Answered>;
  /** A person vouches for a task, or takes that back. */
  trust(ref: string, input: TrustInput): Promise<Answered>;
  /** What docket saw of a task's work, whatever its layout. */
  evidence(ref: string, query: EvidenceQuery): Promise<ReadEvidence>;
  /** How a task came to be as it is, and what can be done now, whatever its layout. `of`: which, where several have that name. */
  explain(ref: string, of?: string): Promise<Explanation>;
  /** All about one task, whatever its layout. Reads only, as what follows. */
  show(ref: string, of?: string): Promise<ShownTask>;
  /** What is wrong with one task: what would stop it, and what breaks the rules of its format. */
  check(ref: string, of?: string): Promise<Finding[]>;
  /** What the agents of a task said, whatever its layout; without a name: of all that runs, as it comes. */
  logs(ref: string | undefined, query: LogQuery): AsyncIterable<LogEntry>;
  /** Every change of tasks of every kind, until the signal; behind a position, or from now on. Reads only. */
  watch(signal: AbortSignal, since?: string): AsyncIterable<Change>;
  /** The position now: a watch from there misses nothing that changes after tasks were read. */
  position(): Promise<string>;
  /** What is done with a task's work after its run: diff, merge, pull request, delete. */
  finished(): Promise<FinishedWork>;
  /** What each task takes up on disk, whatever its kind. */
  disk(): Promise<DiskUse[]>;
  /** The queue's files as a whole: archive, migrate. */
  queueFiles(): Promise<QueueFiles>;
  /** Task packets, each a sequence of stages. */
  packets(): Promise<Packets>;
  /** The board: who does what. */
  board(): Promise<Board>;
  /** What keeps its files in order. */
  boardTools(): Promise<BoardTools>;
  /** The chats that it can be worked from. */
  chats(): Promise<Chats>;
  /** Workflows: what is there, what is wrong with it, how it looks. */
  workflows(): Promise<Workflows>;
  /** What really runs for the tasks of this root, over all layouts. */
  processes(): Promise<Processes>;
  /** How people hear that they are needed. */
  notices(): Promise<Notices>;
  /** What calls of agents have cost, what they may cost, and who is at a limit. */
  spending(): Promise<Spending>;
  /** One turn of one agent, outside of any task. */
  tryAgent(input: TryInput): Promise<TryResult>;
  /** Makes what a first task needs; what is there stays as it is. */
  init(input: InitInput): Promise<Initialized>;
  /** Looks for what is missing or broken, and changes nothing. */
  doctor(input: DoctorInput): Promise<DoctorFinding[]>;
  /** Accepts logs that lost something as they are; without `apply` it only says what that would do. */
  repair(name: string | undefined, options: { apply: boolean }): Promise<Repaired[]>;
  /** What an agent that docket did not start may do, under this name. */
  forAgent(name: string): Promise<AgentSide>;
  /** What teaches agents to drive docket. */
  skill(): Promise<Skill>;
  close(): Promise<void>;
}
