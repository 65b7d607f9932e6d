export {
  open,
  type LibraryDocket as Docket,
  type OpenOptions,
  type RunOptions,
  type RunProgress,
} from './project/library.ts';
export type { Change } from './project/feed/feed.ts';
export type { ShownTask } from './project/explain/show.ts';
export type { RanTask } from './project/run.ts';
export type { Explanation } from './render/explain/types.ts';
export {
  openDocket,
  openDocket as openApp,
  type AddInput,
  type Docket as App,
  type DocketOptions,
  type DocketOptions as AppOptions,
} from './project/docket.ts';
export type { RanDirectory, RunTaskInput, TaskDirectory } from './kinds/directory/api.ts';
export type { GateAnswer, GateInfo } from './render/gates.ts';
export { DocketError, type ErrorCode } from './errors.ts';
export { systemClock, type Clock } from './io/clock.ts';
export type { Layout } from './layout/layout.ts';
export { agentmeshLayout } from './kinds/directory/format/layout.ts';
export { queueLayout } from './kinds/queue/format/layout.ts';
export type {
  Claim,
  ClaimRequest,
  FileStore,
  FileStoreOptions,
  Finding,
  ListQuery,
  Outcome,
  Store,
  Tx,
} from './store/store.ts';
export { execute, type Executed } from './store/execute.ts';
export { openStore } from './store/open/open.ts';
export { memoryStore } from './store/memory/memory-store.ts';
export type { Command, CommandType } from './task/command.ts';
export { decide, type Decision } from './task/decide.ts';
export { evolve } from './task/evolve.ts';
export type { Refusal } from './task/refusal.ts';
export type { Event, NewEvent, Spec, Task } from './task/schema.ts';
export { edges, moves, statuses, type Status } from './task/status.ts';
export {
  openTaskStore,
  type TaskRecord,
  type TasksFileData,
  type TaskStore,
  type TaskStoreOptions,
} from './task-store.ts';
