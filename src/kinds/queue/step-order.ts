import path from 'node:path';
import type { SessionWish } from '../../adapters/adapter.ts';
import type { Agent } from '../../adapters/agent.ts';
import { attemptFolder } from '../../engine/attempt-logs.ts';
import type { Contract } from '../../engine/contract.ts';
import type { OwnOrder, StepOrder } from '../../engine/run-workflow.ts';
import { isDirectory } from '../../io/find-up.ts';
import { summaryOf } from '../../render/answer-summary.ts';
import { fencedWork } from '../../render/fence.ts';
import { workPrompt } from '../../render/prompt.ts';
import { needsTag, type StepContext, stepPrompt, tagsOf } from '../../render/step-prompt.ts';
import { reportContract } from '../../report/contract.ts';
import { parseReport, reportFrom } from '../../report/parse.ts';
import { acceptanceCommands } from '../../settings/prove.ts';
import { openAttempt } from '../../task/allowed.ts';
import { type Attempt, lastCall } from '../../task/attempt.ts';
import type { Step, Sub } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import { foreignAuthor } from '../../task/trust.ts';
import type { Node } from '../../workflow/graph.ts';
import { nodeOf, trail } from '../../workflow/next.ts';
import { choseOf } from '../../workflow/rules.ts';
import { saysNoMoreThanQuick } from '../../workflows/find.ts';
import type { PartOf } from '../bridges/make-packet.ts';
import { packetFor } from '../bridges/sides.ts';
import { notedOf, wishesOf } from './format/record.ts';
import { checked, gathered } from './own-steps.ts';
import { stepJudge } from './step-judge.ts';
import { attemptsOf, nodeFor, type TaskRun } from './task-run.ts';

/** Who does a step, where, with which words and in which conversation, and who judges what comes of it. */
export async function stepOrder(step: Step, task: Task, run: TaskRun): Promise<StepOrder | OwnOrder> {
  const node = nodeFor(run, step);
  if (node.kind === 'fan') return { does: () => gathered(node, step, task, run) };
  if (step.sub) return packetOrder(step.sub, step, task, run);
  if (node.kind === 'checks') return { does: (signal) => checked(node, task, run, signal) };
  const agent = await run.agentFor(node, task);
  const answersInWords = needsTag(node) || node.reports.length > 0;
  const plain = agent.adapter.capabilities.plainReports === true;
  const contract = answersInWords || plain ? undefined : reportContract;
  const context = contextOf(node, step, task, run, contract);
  // A plain program is told the work alone where there is nothing else to say: it has no use for where it stands.
  const isAll = plain && !answersInWords && !isToldMore(context) && saysNoMoreThanQuick(node);
  const prompt = isAll ? workPrompt(context.task) : stepPrompt(node, context);
  const open = openAttempt(task, step.id) !== undefined;
  const before = isWatched(step, task, run) ? await run.tree.before(step.id, open) : undefined;
  const goOn = toldOn(step, task);
  return {
    agent,
    cwd: run.cwd,
    prompt,
    folder: (n) => attemptFolder(attemptsOf(run, task), step.id, n),
    once: false,
    judge: stepJudge({ node, step, run, agent, before, prompt }),
    ...(answersInWords && { contract: inWords(node) }),
    ...(goOn !== undefined && { goOn }),
    ...(context.note !== undefined && { note: context.note }),
    ...conversation(node, step, task, agent, run),
  };
}

/** Somebody has said something about it since. */
function isToldMore({ note, inputs, appendix }: StepContext): boolean {
  return note !== undefined || inputs.length > 0 || appendix !== undefined;
}

/** Of steps at work together nobody can tell who changed what, unless none of them may change anything. */
function isWatched({ id }: Step, { run: now }: Task, run: TaskRun): boolean {
  const fan = now?.steps.find(({ needs }) => needs.includes(id));
  const parts = now?.steps.filter((other) => fan?.needs.includes(other.id)) ?? [];
  return parts.length < 2 || parts.every((part) => nodeFor(run, part).permission === 'read');
}

/** What an agent is told that has heard its order already, and had ended. */
function toldOn({ id }: Step, task: Task): string | undefined {
  const { run } = task;
  const answer = run?.states[id]?.answer;
  if (answer === '') return `A person has looked at what you asked and agrees. ${andEnd}`;
  if (answer !== undefined) return `A person has answered what you asked:\n\n${answer}\n\n${andEnd}`;
  // Docket died after the agent had ended and before it was judged: it is not to do everything again.
  return run?.states[id]?.state === 'running' && lastCall(task, id)?.end?.outcome === 'ok'
    ? `You had ended, and it could not be checked. Look at what you did. ${andEnd}`
    : undefined;
}

const andEnd = 'Go on, and end as you were asked to.';

/** Words, with tags and reports inside; an agent that hands back a report all the same is heard. */
const inWords = (node: Node): Contract => ({
  read(turn) {
    const { reports } = node;
    const text = turn.text ?? '';
    if (text.trim() === '')
      return turn.structured === undefined ? noWords(node) : reportFrom(turn.structured);
    const parsed = text.includes('"status"') ? parseReport(text) : undefined;
    if (parsed && 'report' in parsed) return { ...parsed, value: text };
    const names = reports.map(({ name }) => name);
    const report = reportFrom({ status: 'success', summary: summaryOf(text, names) });
    return 'report' in report ? { ...report, value: text } : report;
  },
  repair: () => `Your last turn had no answer. Answer as you were asked to.\n\n${tagsOf(node)}`.trim(),
});

function noWords(node: Node): { problem: string } {
  return {
    problem: `there was no answer${needsTag(node) ? ', which ends with a tag that says how it went' : ''}`,
  };
}

/** The conversation of the same part goes on from step to step, with the same agent. */
function conversation(
  { session }: Node,
  step: Step,
  task: Task,
  agent: Agent,
  { graph }: TaskRun,
): Pick<StepOrder, 'session' | 'usedBefore'> {
  if (session.mode === 'fresh' || !agent.adapter.capabilities.resume || lastCall(task, step.id)) return {};
  const steps = task.run?.steps ?? [];
  const earlier = steps
    .slice(
      0,
      steps.findIndex(({ id }) => id === step.id),
    )
    .toReversed();
  for (const other of earlier) {
    if (nodeOf(graph, other)?.session.key !== session.key) continue;
    const found = task.attempts?.[other.id];
    if (found && isOpenTo(found, agent)) {
      const wish: SessionWish = { kind: 'resume', id: found.session };
      return { session: wish, ...(found.end?.sessionUsage && { usedBefore: found.end.sessionUsage }) };
    }
  }
  return {};
}

function isOpenTo(attempt: Attempt, { name }: Agent): attempt is Attempt & { session: string } {
  return (
    attempt.agent === name &&
    attempt.session !== undefined &&
    attempt.end !== undefined &&
    !attempt.end.poisoned
  );
}

/** Everything that a step's prompt is made from, beside its node. */
function contextOf(
  node: Node,
  step: Step,
  task: Task,
  run: TaskRun,
  contract: string | undefined,
): StepContext {
  const { graph, body, folder } = run;
  const passed = trail({ steps: task.run?.steps ?? [] });
  const here = passed.findIndex(({ id, needs }) => id === step.id || needs.includes(step.id));
  const before = passed[here - 1];
  const previous = before && answerOf(before, task, run);
  const noted = notedOf(task);
  const author = foreignAuthor(task);
  const { retryNote, taskDir } = wishesOf(task);
  const note = [retryNote, noted.note].filter((text) => text !== undefined).join('\n\n');
  const files = taskDir === undefined ? undefined : path.join(run.places.root, taskDir);
  const appendix = before && ruleInto(before, task, run)?.appendix;
  return {
    workflow: graph.name,
    titles: titlesOf(run),
    iteration: here + 1,
    maxSteps: noted.maxSteps ?? graph.maxSteps,
    pass:
      (task.run?.steps ?? [])
        .filter((other) => other.node === node.id && other.kind !== 'human')
        .findIndex(({ id }) => id === step.id) + 1,
    task: { title: task.title, body, ...(author !== undefined && { author }) },
    ...(files !== undefined && isDirectory(files) && { files }),
    reportDir: folder.reportDir,
    report: (name) => folder.report(name),
    ...(previous && { previous }),
    inputs: inputsOf(task),
    ...(note !== '' && { note }),
    ...(appendix !== undefined && { appendix }),
    ...(contract !== undefined && { contract }),
  };
}

function titlesOf({ graph }: TaskRun): string[] {
  const nodes = Object.values(graph.nodes);
  const parts = new Set(nodes.flatMap((node) => node.parts ?? []));
  return nodes.filter(({ id }) => !parts.has(id)).map(({ title }) => title);
}

/** What a step said; of one that brought others together, what each of them said. */
export function answerOf(step: Step, task: Task, run: TaskRun): StepContext['previous'] {
  const steps = (task.run?.steps ?? []).filter(({ id }) => step.needs.includes(id));
  if (steps.length === 0) return said(step, task, run);
  const texts = steps.flatMap((part) => {
    const found = said(part, task, run);
    return found ? [`### ${part.title}\n\n${found.text.trim()}`] : [];
  });
  const file = path.join(run.folder.dir, 'context', 'previous_responses');
  return texts.length === 0 ? undefined : { step: step.title, text: texts.join('\n\n'), file };
}

function said(step: Step, task: Task, { folder }: TaskRun): StepContext['previous'] {
  const n = task.attempts?.[step.id]?.n ?? 0;
  const kept = folder.answer(step.id, n);
  if (kept) return { step: step.title, ...kept };
  const summary = task.run?.states[step.id]?.report?.['summary'];
  return typeof summary === 'string' ? { step: step.title, text: summary, file: folder.dir } : undefined;
}

/** The rule by which a step was left. */
function ruleInto(step: Step, task: Task, run: TaskRun) {
  const chose = task.run?.states[step.id]?.chose;
  return chose && nodeFor(run, step).rules[chose.rule];
}

/** What people answered at gates of this run. */
function inputsOf({ run }: Task): string[] {
  return Object.values(run?.gates ?? {}).flatMap(({ state, reason, note }) =>
    state === 'approved' && note !== undefined ? [`Asked: ${reason}\nAnswer: ${note}`] : [],
  );
}

/** A step of a record that a packet does, in the record's own workspace and within what the record may use. */
function packetOrder(sub: Sub, step: Step, task: Task, run: TaskRun): OwnOrder {
  const { places, env } = run;
  const standsFor = { layout: 'queue', id: task.id, step: step.id } as const;
  return {
    async does(signal) {
      const { doneByPacket } = await import('../bridges/part.ts');
      const where = { ...places, env, warn: places.warn ?? (() => undefined) };
      const { onProgress } = run;
      const part = partOf(sub, task, run, standsFor);
      const before = await run.tree.before(step.id, true);
      const judged = await doneByPacket(packetFor(standsFor), part, { where, step, signal, onProgress });
      await run.tree.since(before, step.id, true);
      if (judged.outcome.state !== 'done') return judged;
      return {
        ...judged,
        outcome: { ...judged.outcome, chose: choseOf(nodeFor(run, step).rules, 0, 'only') },
      };
    },
  };
}

function partOf(sub: Sub, task: Task, run: TaskRun, standsFor: PartOf['standsFor']): PartOf {
  const { scope, acceptance, budget = {} } = task.spec;
  const { calls, seconds, tokens, money: cost } = budget;
  const author = foreignAuthor(task);
  return {
    standsFor,
    tree: run.cwd,
    trust: task.trust,
    request: author === undefined ? run.body : fencedWork(run.body, author),
    manifest: {
      goal: task.title,
      intent: sub.workflow,
      allow: scope?.allow ?? ['.'],
      ...(scope && { deny: scope.deny }),
      commands: acceptanceCommands(task, run.config),
      criteria: acceptance?.criteria ?? [],
      budgets: {
        ...(calls !== undefined && { calls }),
        ...(seconds !== undefined && { seconds: Math.ceil(seconds) }),
        ...(tokens !== undefined && { tokens }),
        ...(cost !== undefined && { cost }),
      },
    },
  };
}
