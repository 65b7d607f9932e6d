import path from 'node:path';
import type { Prover } from '../../engine/prove.ts';
import type { Entry } from '../../engine/recorder.ts';
import type { Following } from '../../engine/run-workflow.ts';
import { command, fix } from '../../errors/command.ts';
import { ignoredSeen } from '../../gate/seen.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { tagList } from '../../render/step-prompt.ts';
import { proverFor } from '../../settings/prove.ts';
import type { BlockReason, Task } from '../../task/schema.ts';
import type { Graph, Node } from '../../workflow/graph.ts';
import { type Next, nextIn, nodeOf } from '../../workflow/next.ts';
import { deliver, type NotedSet } from './deliver.ts';
import { callName, notedOf, ownOf, withNoted } from './format/record.ts';
import type { TaskRun } from './task-run.ts';

interface Ends {
  /** Hands the work over, once it is proved by these. */
  done: (task: Task, evidence: readonly string[]) => Promise<Entry[]>;
  /** The last words of the step that decided. */
  lastMessage: (task: Task) => string | undefined;
}

/** What follows in a run whose steps are all over, as facts to be written down. */
export async function follow(graph: Graph, task: Task, ends: Ends): Promise<Following> {
  const { run } = task;
  if (!run) throw new Error('there is no run to go on with');
  const next = nextIn(graph, run, { maxSteps: notedOf(task).maxSteps });
  if (next.kind === 'order') {
    const { steps } = next;
    return { over: false, entries: [{ type: 'dispatch', n: run.n + 1, goal: run.goal, steps, orders: '' }] };
  }
  if (next.kind === 'end' && next.as === 'done') return { done: (evidence) => ends.done(task, evidence) };
  return { over: true, entries: ending(next, task, ends) };
}

function ending(
  next: Exclude<Next, { kind: 'order' } | { kind: 'end'; as: 'done' }>,
  task: Task,
  ends: Ends,
): Entry[] {
  const lastMessage = ends.lastMessage(task);
  const ended = task.run?.steps.at(-1)?.id;
  const noting = (set: Parameters<typeof withNoted>[1] = {}): Entry => ({
    type: 'edit',
    set: { extras: withNoted(task.extras, { ...set, ended }) },
  });
  switch (next.kind) {
    case 'end': {
      const { step, reason: error } = next;
      const failure = { step, error, ...(lastMessage !== undefined && { lastMessage }) };
      return [noting(), { type: 'fail', failure }];
    }
    case 'exceeded': {
      const { max, taken } = next;
      const text =
        fix`it took ${taken} steps and may take ${max}; ${command`retry ${task.id}`} allows as many again`
          .text;
      const exceeded = { max, at: taken };
      return [noting({ exceeded }), held({ kind: 'budget', text, who: 'a person' })];
    }
    case 'lost': {
      const { node, step } = next;
      const said = lastMessage === undefined ? '' : `\nIt said: ${lastMessage}`;
      const again = command`retry ${callName(task)} --from <step>`;
      const text = fix`no rule of step ${step.title} fits what came of it${whyLost(node)}; ${again}${said}`
        .text;
      return [noting(), held({ kind: 'gate', text, who: 'a person' })];
    }
  }
}

/** An agent that does not know how to say which rule holds would never be understood. */
function whyLost(node: Node): string {
  const tags = tagList(node);
  if (tags.length > 0)
    return `: its answer does not end with a tag that says which (${tags.join(', ')}), and a judge named none`;
  return ` (rules: ${node.rules.map(({ text }) => `"${text}"`).join(', ') || 'it has none'})`;
}

function held(reason: BlockReason): Entry {
  return { type: 'settle', verdict: { kind: 'hold', reason }, summary: '' };
}

/** The end of a run that went well: its work is handed over, and what proves it is named. */
export async function handedOver(task: Task, run: TaskRun, proved: readonly string[]): Promise<Entry[]> {
  const { places, folder } = run;
  const { noted, held, delivery, ignored } = await deliver(task, places, run.config);
  const noting = (set: NotedSet): Entry => ({
    type: 'edit',
    set: { extras: withNoted(task.extras, set), ...(delivery && { delivery }) },
  });
  // Its run is not at its end yet: once a person has seen to it, it goes on with the delivery.
  if (held) return [noting(noted), { type: 'settle', verdict: { kind: 'hold', reason: held }, summary: '' }];
  if (ignored) run.prover.saw(task, `${noted.commit?.slice(0, 12)}-clean`, ignoredSeen(ignored));
  const evidence = [path.relative(places.root, folder.dir), ...proved, ...committed(task, run, noted)];
  const ended = task.run?.steps.at(-1)?.id;
  return [
    noting({ ...noted, ended }),
    { type: 'settle', verdict: { kind: 'pass', evidence }, summary: summaryOf(task) },
  ];
}

/** What was committed is what was proved, and nothing was left over. */
function committed(task: Task, { prover }: TaskRun, { commit, branch = '' }: NotedSet): string[] {
  if (commit === undefined) return [];
  const note = `committed on ${branch}, and nothing is left uncommitted`;
  return [prover.saw(task, `${commit.slice(0, 12)}-clean`, { kind: 'tree', what: commit, ok: true, note })];
}

function summaryOf({ run }: Task): string {
  const last = run?.steps.at(-1);
  const summary = last && run?.states[last.id]?.report?.['summary'];
  return typeof summary === 'string' && summary !== '' ? summary : 'worked on by an agent';
}

/** What proves a task of the queue, in the tree that its steps are watched in. */
export function queueProver(
  task: Task,
  { places, config, cwd, graph, tree, masking }: Omit<TaskRun, 'prover'>,
): Prover {
  const { name } = ownOf(task);
  return proverFor(
    { ...places, config },
    {
      cwd,
      masking,
      attempts: { attemptsBy: 'step', attempts: path.join(places.dir, 'attempts', task.id) },
      folder: () => makeOwnFolder(places.dir, 'evidence', task.id),
      scratch: () => makeOwnFolder(places.dir, 'proof', task.id),
      look: (fresh) => tree.now(fresh),
      writes: (step) => nodeOf(graph, step)?.permission !== 'read',
      back: ({ run }) => {
        const last = run?.steps.at(-1);
        const node = last && nodeOf(graph, last);
        return last?.kind === 'work' && !last.sub && node?.permission !== 'read' ? last.id : undefined;
      },
      name,
      goOn: String(command`retry ${name}`),
    },
  );
}
