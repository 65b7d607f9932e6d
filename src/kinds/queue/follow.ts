import type { Entry } from '../../engine/recorder.ts';
import type { Following } from '../../engine/run-workflow.ts';
import { tagList } from '../../render/step-prompt.ts';
import type { BlockReason, Task } from '../../task/schema.ts';
import type { Graph, Node } from '../../workflow/graph.ts';
import { nextIn, type Next } from '../../workflow/next.ts';
import { notedOf, withNoted } from './format/noted.ts';
import { callName } from './format/record.ts';

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
      const text = `it took ${taken} steps and may take ${max}; docket retry ${task.id} allows as many again`;
      const exceeded = { max, at: taken };
      return [noting({ exceeded }), held({ kind: 'budget', text, who: 'a person' })];
    }
    case 'lost': {
      const { node, step } = next;
      const said = lastMessage === undefined ? '' : `\nIt said: ${lastMessage}`;
      const again = `docket retry ${callName(task)} --from <step>`;
      const text = `no rule of step ${step.title} fits what came of it${whyLost(node)}; ${again}${said}`;
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
