import type { Question } from '../adapters/adapter.ts';
import { sleepUnless } from '../io/clock.ts';
import { clip } from '../report/clip.ts';
import { isProofQuestion, proofChoices } from '../task/proof-question.ts';
import type { Gate } from '../task/run.ts';
import type { Recorder } from './recorder.ts';

const lookEveryMs = 300;
const by = 'docket';

export function gateOf(step: string): string {
  return `gate-${step}`;
}

/**
 * An agent that asks in the middle of its turn waits at a gate: its process lives, and whoever answers the gate, in
 * whatever process, answers the agent. When it no longer waits, the gate is closed for good.
 */
export function askThroughGate(
  recorder: Recorder,
  step: string,
): (question: Question, signal: AbortSignal) => Promise<string> {
  let last: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    // One at a time: a step has one gate.
    const answer = last.then(() => askOne(recorder, step, question, signal));
    last = answer.catch(() => undefined);
    return answer;
  };
}

async function askOne(
  recorder: Recorder,
  step: string,
  question: Question,
  signal: AbortSignal,
): Promise<string> {
  const gate = gateOf(step);
  const no = question.options.find(({ kind }) => kind === 'deny')?.id ?? '';
  if (signal.aborted) return no;
  const reason = clip(`${question.about}: ${question.text}`, 4000);
  const options = question.options.map(({ id, kind, text }) => ({ id, kind, text: clip(text, 500) }));
  await recorder.write({ type: 'ask', gate, kind: 'human-approval', step, reason, options });
  const times = recorder.task.run?.gates[gate]?.times;
  for (;;) {
    const found = (await recorder.refresh()).run?.gates[gate];
    if (!found || found.times !== times) return no;
    if (found.state !== 'blocked') return choiceOf(found, question) ?? no;
    if (signal.aborted) {
      await withdraw(recorder, gate, 'the agent no longer waits for it');
      return no;
    }
    await sleepUnless(lookEveryMs, signal);
  }
}

function choiceOf({ state, choice }: Gate, { options }: Question): string | undefined {
  if (choice !== undefined) return choice;
  return options.find(({ kind }) => kind === (state === 'approved' ? 'allow' : 'deny'))?.id;
}

/** Questions of an agent whose docket process died: nobody would hear the answer. */
export async function withdrawStale(recorder: Recorder): Promise<void> {
  const gates = Object.entries(recorder.task.run?.gates ?? {});
  for (const [gate, facts] of gates) {
    if (facts.state !== 'blocked' || !facts.options) continue;
    if (isProofQuestion(facts)) await checkAgain(recorder, gate);
    else await withdraw(recorder, gate, 'docket ended while the agent waited');
  }
}

/** Docket looks again, and asks again where the work is still not proved. */
function checkAgain(recorder: Recorder, gate: string): Promise<void> {
  const choice = proofChoices.check;
  return recorder.write({
    type: 'answer',
    gate,
    decision: 'approved',
    choice,
    note: 'docket checks it again',
  });
}

function withdraw(recorder: Recorder, gate: string, note: string): Promise<void> {
  return recorder.write({ type: 'answer', gate, decision: 'rejected', note: `${note} (${by})` });
}
