import type { Agent } from '../../adapters/agent.ts';
import type { Turn } from '../../adapters/fold.ts';
import type { Contract } from '../../engine/contract.ts';
import type { Entry } from '../../engine/recorder.ts';
import type { StepOrder } from '../../engine/run-workflow.ts';
import type { TreeTrail } from '../../engine/tree-trail.ts';
import { DocketError } from '../../errors.ts';
import { fencedWork } from '../../render/fence.ts';
import { redact } from '../../render/redact.ts';
import { reportFrom } from '../../report/parse.ts';
import { problemLines } from '../../schema/problem.ts';
import type { Config } from '../../settings/config.ts';
import type { Store } from '../../store/store.ts';
import { hashOf } from '../../task/loop.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { Mark } from '../../task/trail-schema.ts';
import { foreignAuthor } from '../../task/trust.ts';
import { readNotes } from './context.ts';
import { joined, joinedMarkdown } from './format/joined.ts';
import { ownOf } from './format/own.ts';
import {
  nextPlanPrompt,
  type Plan,
  type PlanInput,
  planPrompt,
  planSchemaStrict,
  readPlan,
  repairPlanPrompt,
} from './format/plan.ts';
import { type Orders, promptsOf, staffed } from './orders.ts';
import { compileFor, dispatchOf, knownFor } from './rounds.ts';
import { runtimeFolder } from './runtime-folder.ts';

const role = 'orchestrator';

/** The planning step of a round. A later one goes on in the conversation of the one before it. */
export function planRound(task: Task, round: number, agent: string, goal: string) {
  const before = task.attempts?.[`${role}-${round - 1}`]?.session;
  const step: Step = {
    id: `${role}-${round}`,
    kind: 'plan',
    node: role,
    title: `Plan round ${round}`,
    role,
    agent,
    needs: [],
    ...(before !== undefined && { session: { kind: 'resume', id: before } }),
  };
  return { goal, steps: [step], orders: { [step.id]: goal } };
}

/** For the goal that a person gave: meanwhile the run has had the planner's own, round by round. */
export async function nextPlanRound(task: Task, round: number, store: Store) {
  const last = task.run?.steps.findLast(({ kind }) => kind === 'plan');
  const given = last && (await promptsOf(last, task, store))[last.id];
  const { goal = '', planner } = task.run ?? {};
  return planRound(task, round, planner?.agent ?? '', given ?? goal);
}

/** What the planner is asked, and what becomes of its answer: the next steps, in the same breath as its own end. */
export async function planOrder(step: Step, task: Task, orders: Orders): Promise<StepOrder> {
  const { place, config, store } = orders;
  const { agent: found, cwd } = await staffed(step, task, orders);
  const agent = readingOnly(found);
  const session = agent.adapter.capabilities.resume ? step.session : undefined;
  const input = planInput(step, task, orders);
  return {
    agent,
    cwd,
    prompt: redact(planPrompt(input)).text,
    folder: (n) => runtimeFolder(place.dir, step.id, n),
    contract: planContract(task, config, orders.where.root),
    ...(session && {
      session: { kind: 'resume', id: session.id },
      goOn: redact(nextPlanPrompt(input)).text,
    }),
    mark: (value) => planMark(value as Plan, step, task, orders.trail),
    async also(value, now) {
      const plan = value as Plan;
      if (plan.kind === 'done') return [];
      const compiled = compileFor(now, plan.actions);
      if ('problems' in compiled)
        throw new DocketError('INVALID', problemLines(compiled.problems).join('; '), 'plan it otherwise');
      return [await dispatchOf(now, compiled, store)] satisfies Entry[];
    },
  };
}

function planContract(task: Task, config: Config, root: string): Contract {
  return {
    schema: planSchemaStrict,
    repair: repairPlanPrompt,
    read: (turn) => planIn(turn, task, config, root),
  };
}

function planIn(turn: Turn, task: Task, config: Config, root: string): ReturnType<Contract['read']> {
  const sessions = sessionsOf(task).map(({ id }) => id);
  const read = readPlan(turn.structured ?? turn.text ?? '', { ...knownFor(task, config, root), sessions });
  if ('problem' in read) return read;
  const { plan } = read;
  if (plan.kind === 'actions') {
    const compiled = compileFor(task, plan.actions);
    if ('problems' in compiled) return { problem: problemLines(compiled.problems).join('\n') };
  }
  const summary = plan.kind === 'done' ? plan.summary : plan.actions.sessionGoal;
  const artifacts = plan.kind === 'done' ? { done: true } : { subtasks: plan.actions.tasks.length };
  const report = reportFrom({ status: 'success', summary, artifacts });
  return 'report' in report ? { ...report, value: plan } : report;
}

function planInput(step: Step, task: Task, { config, place }: Orders): PlanInput {
  const { run, spec } = task;
  const own = ownOf(task);
  const notes = readNotes(place.dir);
  const round = Number(step.id.slice(role.length + 1));
  const results = resultsSoFar(task);
  return {
    goal: run?.goal ?? task.title,
    description: describing(typeof spec.body === 'string' ? spec.body : '', foreignAuthor(task)),
    round,
    maxRounds: run?.planner?.rounds ?? round,
    agents: [...knownFor(task, config).agents],
    limits: own.config,
    milestones: own.topology === 'squad' ? own.milestones : [],
    taken: run?.steps.map(({ id }) => id) ?? [],
    sessions: sessionsOf(task),
    ...(results !== undefined && { joined: results }),
    ...(notes !== '' && { notes }),
  };
}

/** An agent that made the task is not heard as a person is. */
function describing(body: string, author: string | undefined): string {
  return author === undefined || body.trim() === '' ? body : fencedWork(body, author);
}

/** What may be forked. */
function sessionsOf({ attempts = {} }: Task): { step: string; id: string }[] {
  return Object.values(attempts).flatMap(({ step, session }) =>
    session === undefined ? [] : [{ step, id: session }],
  );
}

/** The joined summary as it was when this round was ordered. */
function resultsSoFar(task: Task): string | undefined {
  const { run } = task;
  if (!run?.steps.some(({ kind }) => kind === 'work')) return undefined;
  const summary = joined({ ...task, run: { ...run, joinedAt: task.updatedAt } }, ownOf(task));
  return summary && joinedMarkdown(summary, task.title);
}

/** A planner changes nothing: where that can be held, it is. */
function readingOnly(agent: Agent): Agent {
  return agent.adapter.capabilities.permissions.read === 'none' ? agent : { ...agent, permission: 'read' };
}

/** What a planner's round is compared by: the work that it orders, whatever names it gives, and what the last one changed. */
async function planMark(
  plan: Plan,
  { id, node }: Step,
  { run }: Task,
  trail: TreeTrail,
): Promise<Mark | undefined> {
  if (plan.kind === 'done') return undefined;
  const orders = plan.actions.tasks.map(({ title, agent, prompt }) => `${agent}\n${title}\n${prompt}`);
  const tree = await trail.look(id);
  const before = run?.trail?.findLast((end) => end.node === node)?.tree;
  return {
    ...(tree !== undefined && { tree }),
    ...(tree !== undefined && before !== undefined && tree !== before && { changed: true }),
    said: hashOf(...orders.toSorted()),
    finding: true,
  };
}
