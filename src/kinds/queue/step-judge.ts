import path from 'node:path';
import type { AgentError } from '../../adapters/adapter.ts';
import type { Agent } from '../../adapters/agent.ts';
import { attemptFolder } from '../../engine/attempt-logs.ts';
import type { Contract } from '../../engine/contract.ts';
import { endingOf, type Entry, type Recorder } from '../../engine/recorder.ts';
import type { Judged } from '../../engine/run-workflow.ts';
import { outcomeForTask, outcomeOfAttempt } from '../../engine/step-outcome.ts';
import { runStep, type StepResult } from '../../engine/step.ts';
import { mayOnlyRead } from '../../engine/untrusted-agent.ts';
import { reportsIn } from '../../render/answer-summary.ts';
import { fenced } from '../../render/fence.ts';
import { judgePrompt } from '../../render/judge-prompt.ts';
import { missingReportsPrompt } from '../../render/step-prompt.ts';
import { clip } from '../../report/clip.ts';
import { reportFrom } from '../../report/parse.ts';
import type { Report } from '../../report/schema.ts';
import { holdsFor } from '../../settings/limits.ts';
import type { Step } from '../../task/run.ts';
import type { BlockReason, Task } from '../../task/schema.ts';
import { isLow } from '../../task/trust.ts';
import type { Node } from '../../workflow/graph.ts';
import { choose, choseOf, tagIn } from '../../workflow/rules.ts';
import type { TreeState } from '../../workspace/tree.ts';
import { factsFor, failureText, markOf, runChecks } from './own-steps.ts';
import { canRead } from './staff.ts';
import { attemptsOf, type TaskRun } from './task-run.ts';

interface Judging {
  node: Node;
  step: Step;
  run: TaskRun;
  agent: Agent;
  /** The work tree before the agent came. */
  before: TreeState | undefined;
  prompt: string;
}

/** An agent may mend what its checks found so often; then a person looks. */
const mostRepairs = 3;

/** Judges each try of a step: what docket saw, the reports it owes, its checks, and the rule that leads on. */
export function stepJudge(
  judging: Judging,
): (result: StepResult, n: number, recorder: Recorder) => Promise<Judged> {
  const { node, step, run, agent, before, prompt } = judging;
  let asked = false;
  let repairs = 0;
  return async (result, n, recorder) => {
    const { end } = result;
    const { task } = recorder;
    const text = wordsOf(result);
    if (text !== '') run.folder.keepAnswer(step.id, n, text);
    const looks = isLow(task) && (await mayOnlyRead(agent));
    const readOnly = looks || node.permission === 'read' || agent.permission === 'read';
    // A workspace of its own keeps what was done there; in the people's tree it is soon mixed with theirs.
    const change = await run.tree.since(before, step.id, run.cwd === run.places.root);
    const evidence = path.relative(run.places.root, path.join(run.folder.dir, 'reports'));
    const outcome = outcomeForTask(end, { readOnly, change, evidence });
    if (outcome.kind === 'requeue') return { outcome: { state: 'stopped' } };
    const { verdict } = outcome;
    if (end.kind !== 'report' || (verdict.kind === 'hold' && verdict.reason.kind !== 'gate'))
      return verdict.kind === 'hold'
        ? { outcome: { state: 'held', reason: verdict.reason } }
        : { outcome: outcomeOfAttempt(end) };
    if (end.report.status !== 'success') return { outcome: outcomeOfAttempt(end) };

    const missing = handIn(node, text, run);
    if (missing.length > 0) {
      const names = missing.map(({ name }) => name).join(', ');
      if (asked) return held('verify', `step ${node.title} did not hand in ${names}`);
      asked = true;
      return again(end.report, missingReportsPrompt(missing), prompt);
    }
    const results = await runChecks(node.checks, task, run, run.signal);
    if (run.signal.aborted) return { outcome: { state: 'stopped' } };
    const broken = results.filter(({ code }) => code !== 0);
    if (broken.length > 0) {
      const said = fenced(broken.map(failureText).join('\n\n'), 'the commands that docket ran');
      const told = `These checks failed. Mend what is wrong, and end as you were asked to.\n\n${said}`;
      if (repairs >= mostRepairs)
        return held('verify', `step ${node.title}: ${clip(broken.map(failureText).join('\n'), 1500)}`);
      repairs += 1;
      return again(end.report, told, prompt);
    }
    const judged = await decided(judging, task, text, end.report, recorder);
    if (judged.outcome.state !== 'done') return judged;
    const said = judgedText(node, text, run);
    const mark = markOf({ node, step, run, readOnly }, change !== undefined, said, judged.outcome.chose);
    return { ...judged, ...(mark && { mark }) };
  };
}

/** Who only hands back a report has said what is in its summary. */
function wordsOf({ end, last }: StepResult): string {
  const text = last?.turn.text ?? '';
  return text.trim() === '' && end.kind === 'report' ? end.report.summary : text;
}

/** Writes down the reports inside an answer. Returns those that are still owed. */
function handIn({ reports }: Node, text: string, { folder, places }: TaskRun): Node['reports'] {
  const found = reportsIn(
    text,
    reports.map(({ name }) => name),
  );
  for (const [name, report] of found) folder.handIn(name, report, places.clock.now());
  return reports.filter(({ name }) => folder.report(name) === undefined);
}

/** Which rule holds: computed, by the agent's tag, or by a judge who did not do the work. */
async function decided(
  { node, step, run, agent }: Judging,
  task: Task,
  text: string,
  report: Report,
  recorder: Recorder,
): Promise<Judged> {
  const choice = choose(node, { text, facts: factsFor(step, task, run, structuredIn(report)) });
  const done = { state: 'done', summary: report.summary } as const;
  switch (choice.kind) {
    case 'chosen':
      return { outcome: { ...done, chose: choice.chose } };
    case 'person':
      return { outcome: { state: 'blocked', reason: clip(withoutTag(text), 2000) } };
    case 'none':
      return { outcome: done };
    case 'ask': {
      const judged = judgedText(node, text, run);
      const answer = await askJudge({ node, step, run, agent, rules: choice.rules, text: judged }, recorder);
      if ('stopped' in answer) return { outcome: { state: 'stopped' } };
      if ('held' in answer) return { outcome: { state: 'held', reason: answer.held }, also: answer.also };
      if ('error' in answer) return { ...unjudged(node, answer.error), also: answer.also };
      const chose = answer.rule === undefined ? choice.otherwise : choseOf(node.rules, answer.rule, 'judge');
      return { outcome: { ...done, ...(chose && { chose }) }, also: answer.also };
    }
  }
}

/** The work is done, and nobody could be asked what it means: that is not the same as "nothing fits". */
function unjudged({ title }: Node, error: AgentError): Judged {
  const outcome = outcomeForTask(
    { kind: 'error', error },
    { readOnly: false, change: undefined, evidence: '' },
  );
  const text = clip(`the judge of step ${title}: ${error.class}: ${error.message}`, 2000);
  if (outcome.kind !== 'settle' || outcome.verdict.kind !== 'hold') return held('verify', text);
  return { outcome: { state: 'held', reason: { ...outcome.verdict.reason, text } } };
}

/** A judge reads the reports that are meant for one, and else the answer. */
function judgedText({ reports }: Node, text: string, { folder }: TaskRun): string {
  const meant = reports.flatMap(({ name, judged }) => (judged ? (folder.report(name) ?? []) : []));
  return meant.length > 0 ? meant.join('\n\n') : text;
}

function structuredIn({ artifacts }: Report): unknown {
  return artifacts;
}

function withoutTag(text: string): string {
  return text.replace(/\[[^[\]:\n]+:\s*0\]\s*$/, '').trim() || 'a person must act';
}

/** In the same conversation, in a few words; an agent that has none gets everything again. */
function again(report: Report, told: string, prompt: string): Judged {
  const outcome = { state: 'failed', reason: told.slice(0, 500) } as const;
  return { outcome, report, again: { prompt: `${prompt}\n\n${told}\n`, goOn: told, pauseMs: 0 } };
}

function held(kind: BlockReason['kind'], text: string): Judged {
  return { outcome: { state: 'held', reason: { kind, text, who: 'a person' } } };
}

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
async function askJudge({ node, step, run, agent, rules, text }: Asked, recorder: Recorder): Promise<Answer> {
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
