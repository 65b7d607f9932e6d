import { attemptFolder } from '../../engine/attempt-logs.ts';
import type { OnProgress } from '../../engine/progress.ts';
import type { Prover } from '../../engine/prove.ts';
import type { StepOrder } from '../../engine/run-workflow.ts';
import { TreeTrail } from '../../engine/tree-trail.ts';
import { command } from '../../errors/command.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { dispatchPrompt, retryPrompt } from '../../render/board/prompt.ts';
import { loopsFor } from '../../settings/loops.ts';
import type { Store } from '../../store/store.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import { briefOf } from './brief.ts';
import type { Desk } from './desk.ts';
import { memoryOf } from './format/extras.ts';
import type { Locale } from './format/intent.ts';
import { boardTask } from './format/task.ts';
import { lookInto } from './look.ts';
import { folderOf } from './projects.ts';
import { firstRefusal, looseContract, spawnJudge } from './spawn-judge.ts';
import type { LoopWatch } from './spawn-loop.ts';
import type { WorkerSeen } from './steps.ts';
import type { Workers } from './workers.ts';

export interface Spawning {
  desk: Desk;
  store: Store;
  workers: Workers;
  locale: Locale | (() => Locale);
  timeoutSec?: number | undefined;
  /** Says whether the work is proved. */
  prover?: Prover | undefined;
  onSeen?: ((seen: WorkerSeen) => void) | undefined;
  onProgress?: OnProgress | undefined;
}

/** One work step of a board's task: who, where, with which words, and how it is judged. */
export async function spawnOrder(step: Step, task: Task, spawning: Spawning): Promise<StepOrder> {
  const { desk, store, workers, locale, timeoutSec } = spawning;
  const role = task.owner ?? step.role;
  const agent = await workers.named(step.agent);
  const { text } = memoryOf(task).order ?? {};
  const brief = await store.exclusive([], (ledger) =>
    briefOf(boardTask(task), { agent: role, text }, lookInto(ledger), desk),
  );
  const missed = firstRefusal({ task }, step.id);
  const prompt = missed ? retryPrompt(brief, missed.text) : dispatchPrompt(brief);
  const wallMs = timeoutSec === undefined ? agent.limits.wallMs : timeoutSec * 1000;
  return {
    agent: { ...agent, limits: { ...agent.limits, wallMs } },
    cwd: folderOf(desk.where.root, task.id),
    prompt,
    folder: (n) => attemptFolder(makeOwnFolder(desk.dir, 'attempts', task.id), step.id, n),
    contract: looseContract({
      taskId: task.id,
      title: task.title,
      agent: role,
      aliases: [step.role, agent.name, agent.adapter.name, ...(agent.model ? [agent.model] : [])],
    }),
    judge: spawnJudge({
      role,
      step: step.id,
      locale: typeof locale === 'function' ? locale() : locale,
      gate: { ...desk, taskId: task.id, mask: workers.masking },
      prompt,
      retry: (why) => retryPrompt(brief, why),
      command: agent.command ?? [agent.adapter.name],
      status: boardTask(task).status,
      now: () => desk.where.clock.now(),
      onSeen: spawning.onSeen,
      prover: spawning.prover,
      watch: watchOf(task, spawning),
    }),
  };
}

/** What its workers leave is compared with what they left before. */
function watchOf({ id }: Task, { desk, workers }: Spawning): LoopWatch {
  const kept = { base: desk.dir, below: ['attempts', id] };
  const cwd = folderOf(desk.where.root, id);
  return {
    trail: new TreeTrail(cwd, kept, workers.masking),
    loops: loopsFor(workers.config, String(command`say "unblock ${id}"`)),
  };
}
