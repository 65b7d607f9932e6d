import type { AgentError } from '../../adapters/adapter.ts';
import type { Agent } from '../../adapters/agent.ts';
import { attemptFolder } from '../../engine/attempt-logs.ts';
import { endingOf, type Entry, type Recorder } from '../../engine/recorder.ts';
import { runStep, type Contract } from '../../engine/step.ts';
import { judgePrompt } from '../../render/judge-prompt.ts';
import { reportFrom } from '../../report/parse.ts';
import { holdsFor } from '../../settings/limits.ts';
import type { Step } from '../../task/run.ts';
import type { BlockReason } from '../../task/schema.ts';
import type { Node } from '../../workflow/graph.ts';
import { tagIn } from '../../workflow/rules.ts';
import { attemptsOf } from './attempts.ts';
import { canRead } from './staff.ts';
import type { TaskRun } from './task-run.ts';

interface Asked {
  node: Node;
  step: Step;
  run: TaskRun;
  agent: Agent;
  /** Which rules are in question. */
  rules: readonly number[];
  text: string;
}

/** `rule` undefined: none of them. `also`: what is written down together with the step's end. */
type Answer =
  | { rule: number | undefined; also: Entry[] }
  /** It could not be asked. */
  | { error: AgentError; also: Entry[] }
  | { held: BlockReason; also: Entry[] }
  | { stopped: true };

/**
 * Asks somebody who did not do the work, in a conversation of its own and without any right. Its attempt stays open until
 * the step's end is written with it: a docket that dies in between reads the answer instead of paying for another.
 */
export async function askJudge(
  { node, step, run, agent, rules, text }: Asked,
  recorder: Recorder,
): Promise<Answer> {
  const id = `${step.id}--judge`;
  const asked = rules.map((at) => ({ number: at + 1, text: node.rules[at]?.text ?? '' }));
  const asking = await runStep({
    step: id,
    // Who cannot be held to reading has the rights of the step, as in the step itself.
    agent: { ...agent, ...(canRead(agent) && { permission: 'read' as const }), approvals: false },
    recorder,
    prompt: judgePrompt(node.title, asked, text),
    contract: tagOnly(asked.map(({ number }) => number)),
    cwd: run.cwd,
    folder: (n) => attemptFolder(attemptsOf(run, recorder.task), id, n),
    env: run.env,
    signal: run.signal,
    now: () => run.places.clock.now(),
    holds: holdsFor(run.places, run.config),
    masking: run.masking,
  });
  const { last } = asking;
  if ('held' in asking) return { held: asking.held, also: last ? [endingOf(last)] : [] };
  const { end } = asking;
  if (end.kind === 'stopped') {
    if (last) await recorder.end(last);
    return { stopped: true };
  }
  const also = last ? [endingOf(last)] : [];
  if (end.kind === 'error') return { error: end.error, also };
  const chosen = end.kind === 'report' ? (end.value as number) : 0;
  return { rule: chosen === 0 ? undefined : chosen - 1, also };
}

function tagOnly(numbers: readonly number[]): Contract {
  return {
    read({ text = '' }) {
      const number = tagIn(text, 'JUDGE');
      if (number === undefined || (number !== 0 && !numbers.includes(number)))
        return { problem: 'there is no tag [JUDGE:n] with one of the numbers' };
      const read = reportFrom({ status: 'success', summary: `[JUDGE:${number}]` });
      return 'report' in read ? { ...read, value: number } : read;
    },
    repair: () =>
      `Answer with one tag and nothing else: [JUDGE:n]; n is one of ${[0, ...numbers].join(', ')}.`,
  };
}
