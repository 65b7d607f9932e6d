import type { AgentError } from '../../adapters/adapter.ts';
import type { Turn } from '../../adapters/fold.ts';
import type { Contract } from '../../engine/contract.ts';
import type { Prover } from '../../engine/prove.ts';
import type { Entry, Recorder } from '../../engine/recorder.ts';
import type { Judged } from '../../engine/run-workflow.ts';
import { pauseBefore, policies } from '../../engine/step-outcome.ts';
import type { StepResult } from '../../engine/step.ts';
import { continuation } from '../../render/prompt.ts';
import { wordsAsReport } from '../../report/classify-fields.ts';
import { classify, type Classified, type Dispatched } from '../../report/classify.ts';
import { clip } from '../../report/clip.ts';
import type { BlockReason, Task, Verdict } from '../../task/schema.ts';
import type { Locale } from './format/intent.ts';
import { gated, type GateOptions } from './gate.ts';
import { leftUndone, type LoopWatch } from './spawn-loop.ts';
import { type WorkerSeen, workerReason } from './steps.ts';

const longestReason = 8000;

/** Whatever a worker says is an answer: what it means is found out without asking again. */
export function looseContract(dispatched: Dispatched): Contract {
  return {
    read(turn: Turn) {
      const { text = '', structured } = turn;
      const found = classify(
        { text, ...(structured !== undefined && { structured }) },
        dispatched,
        () => undefined,
      );
      return { report: found.report, value: found };
    },
    repair: (problem) => problem, // nothing that was said is refused for its form
  };
}

interface Judging {
  role: string;
  step: string;
  locale: Locale;
  gate: Omit<GateOptions, 'signal' | 'tasks'>;
  /** The prompt that it is asked with, and the one that asks once more, with what the gate missed. */
  prompt: string;
  retry: (why: string) => string;
  command: readonly string[];
  /** The status of its task when it is asked. */
  status: string;
  now: () => number;
  /** A try has ended so. */
  onSeen?: ((seen: WorkerSeen) => void) | undefined;
  prover?: Prover | undefined;
  watch: LoopWatch;
}

/**
 * What came of a worker's try: done if the one gate agrees, else blocked with the reason. A delivery that the gate does
 * not take is asked for once more; that counts only if it is better. Errors, a crash among them, are retried as everywhere.
 */
export function spawnJudge(judging: Judging) {
  const failures = new Map<AgentError['class'], number>();
  return async (
    result: StepResult,
    _attempt: number,
    recorder: Recorder,
    signal: AbortSignal,
  ): Promise<Judged> => {
    const { end } = result;
    const before = firstRefusal(recorder, judging.step);
    const blocked = (reason: BlockReason): Judged => held(before ?? reason);
    const left = async (why: BlockReason): Promise<Judged> => {
      const about = { step: judging.step, at: judging.now(), task: recorder.task };
      const { reason, mark } = await leftUndone(before ?? why, about, judging.watch);
      return { ...held(reason), mark };
    };
    const seen = (more: Partial<WorkerSeen> & Pick<WorkerSeen, 'reasonCode'>): void =>
      judging.onSeen?.({ ...seenOf(result, judging), ...more });
    if (end.kind === 'stopped') return { outcome: { state: 'stopped' } };
    if (end.kind === 'error') {
      const reason = errorReason(end.error);
      const pauseMs = pauseAfter(end.error, failures, judging.now());
      if (pauseMs !== undefined) {
        const prompt = before ? judging.retry(before.text) : judging.prompt;
        return { ...held(reason), also: [], again: { prompt, goOn: continuation, pauseMs } };
      }
      seen({ reasonCode: 'spawn_failed', stderr: end.error.message });
      return blocked(reason);
    }
    if (end.kind === 'silent') {
      seen({ reasonCode: 'no_completion_signal' });
      return left(reasonOf('verify', end.problem));
    }
    const { decision, reasonCode, detail, report, structured } = end.value as Classified;
    if (decision !== 'done') {
      seen({ reasonCode, report, structured });
      const kind = reasonCode === 'blocked_signal' ? 'gate' : 'verify';
      return left(reasonOf(kind, workerReason({ reasonCode, detail }, judging.locale)));
    }
    const { verdict, reason } = await accepted(judging, { report, structured }, recorder.task, signal);
    if (signal.aborted) return { outcome: { state: 'stopped' } };
    const isDone = verdict.kind === 'pass';
    seen({ reasonCode: isDone ? 'done_with_evidence' : 'incomplete_output', report, structured });
    if (isDone) return settled(verdict, report.summary);
    const why = verdict.kind === 'hold' ? verdict.reason : reasonOf('verify', reason);
    if (before) return left(before);
    return {
      ...held(why),
      also: [],
      report: { ...report, status: 'blocked', errors: [clip(why.text, longestReason)] },
      again: { prompt: judging.retry(reason), pauseMs: 0 },
    };
  };
}

/** The board's own gate, and then the proof that all work needs. Only what a worker wrote as a report is held to be its word. */
async function accepted(
  { role, locale, gate, prover }: Judging,
  { report, structured }: Pick<Classified, 'report' | 'structured'>,
  task: Task,
  signal: AbortSignal,
): Promise<{ verdict: Verdict; reason: string }> {
  const watched: GateOptions['watched'] =
    prover && ((shown, run) => prover.watched(task, shown, run, signal));
  const { verdict, reason } = await gated(role, report, locale, {
    ...gate,
    tasks: [task], // as it is now: the attempts say whose work the commands run
    signal,
    ...(watched && { watched }),
  });
  if (verdict.kind !== 'pass' || !prover || signal.aborted) return { verdict, reason };
  const { env } = gate.where;
  const proof = await prover.prove(task, { signal, env, ...(structured && { handed: report }) });
  if (proof.kind === 'pass')
    return {
      verdict: { kind: 'pass', evidence: [...(verdict.evidence ?? []), ...(proof.evidence ?? [])] },
      reason,
    };
  return { verdict: proof, reason: proof.kind === 'hold' ? proof.reason.text : proof.reason };
}

/** The same number of tries for each class of error as in every other layout. */
function pauseAfter(
  error: AgentError,
  failures: Map<AgentError['class'], number>,
  now: number,
): number | undefined {
  const count = (failures.get(error.class) ?? 0) + 1;
  failures.set(error.class, count);
  return pauseBefore(error, count, now);
}

function seenOf({ last }: StepResult, { command, prompt, status }: Judging): Omit<WorkerSeen, 'reasonCode'> {
  const { text = '', structured: result } = last?.turn ?? {};
  const report = wordsAsReport(text, 'blocked');
  return {
    command,
    stdout: text,
    stderr: '',
    report,
    structured: false,
    sent: { prompt, status },
    ...(result !== undefined && { result }),
  };
}

/** Why the first try was not taken, if there was one: its report is kept with the step until the step ends. */
export function firstRefusal({ task }: Pick<Recorder, 'task'>, step: string): BlockReason | undefined {
  const errors = task.run?.states[step]?.report?.['errors'];
  const [first] = Array.isArray(errors) ? errors : [];
  return typeof first === 'string' ? reasonOf('verify', first) : undefined;
}

function settled(verdict: Verdict, summary: string): Judged {
  const also: Entry[] = [{ type: 'settle', verdict, summary }];
  return { outcome: { state: 'done', summary }, also };
}

export function held(reason: BlockReason): Judged {
  const also: Entry[] = [{ type: 'settle', verdict: { kind: 'hold', reason }, summary: '' }];
  return { outcome: { state: 'failed', reason: reason.text }, also };
}

function errorReason(error: AgentError): BlockReason {
  const { lastly } = policies[error.class];
  const kind = lastly === 'fail' ? (error.class === 'timeout' ? 'stall' : 'crash') : lastly;
  const { resetAt } = error;
  const until = resetAt === undefined ? '' : ` (until ${resetAt})`;
  const reason = reasonOf(kind, `${error.class}: ${error.message}${until}`);
  return resetAt === undefined ? reason : { ...reason, resumesAt: resetAt };
}

function reasonOf(kind: BlockReason['kind'], text: string): BlockReason {
  return { kind, text: clip(text, longestReason) || kind, who: 'a person' };
}
