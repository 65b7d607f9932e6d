import type { Entry } from '../../engine/recorder.ts';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { didYouMean } from '../../errors/nearest.ts';
import { isOver } from '../../task/allowed.ts';
import type { Run, Step } from '../../task/run.ts';
import type { Task, Text } from '../../task/schema.ts';
import type { Graph } from '../../workflow/graph.ts';
import { nextIn, ordered, stepsTaken } from '../../workflow/next.ts';
import { notedOf, wishesOf, type withNoted } from './format/record.ts';

/** What a claimed task's run begins with, or goes on with. */
export interface Beginning {
  graph: Graph;
  entries: Entry[];
  /** What docket notes about it from now on. */
  note: Parameters<typeof withNoted>[1];
}

interface Finding {
  /** The graph that the run has; undefined: there is no run yet. */
  kept: Graph | undefined;
  /** The graph as its files say now, and where it is kept. */
  find: () => Promise<{ graph: Graph; text: Text }>;
}

/**
 * A run that was interrupted goes on where it was, with the graph it began with. One that stood still (it failed, no rule
 * fitted, it is over) was put back by a person who has seen to it: it takes the workflow as it is now, and the step that
 * failed begins anew, or the one that the person names.
 */
export async function beginning(task: Task, { kept, find }: Finding): Promise<Beginning> {
  const { run } = task;
  const { from, exceeded, ended, maxSteps } = notedOf(task);
  // Also where every step is over: docket may have died before it wrote down what that came to.
  if (run && kept && from === undefined && ended === undefined) return { graph: kept, entries: [], note: {} };
  const { graph, text } = await find();
  const taken = run ? stepsTaken(run) : 0;
  const most = run && graph.maxSteps !== undefined ? allowed(taken, maxSteps, graph.maxSteps) : undefined;
  const over = { from: undefined, exceeded: undefined, ended: undefined };
  const note = { ...over, ...(most !== undefined && { maxSteps: most }) };
  const start = from ?? (run ? undefined : wishesOf(task).startStep);
  const again = run && start === undefined && !exceeded ? standing(run, graph, kept) : [];
  const node = start === undefined ? graph.start : nodeNamed(graph, start);
  const next =
    again.length > 0 || (run && exceeded && start === undefined) ? [] : stepsFrom(graph, run, node);
  const isNew = !same(run?.workflow, text);
  const order: Entry = {
    type: 'dispatch',
    n: (run?.n ?? 0) + 1,
    goal: task.title,
    steps: next,
    orders: '',
    ...(isNew && { workflow: text }),
  };
  return { graph, entries: [...again, ...(next.length > 0 || isNew ? [order] : [])], note };
}

/** As many again as the workflow allows, unless a person has said how many. */
function allowed(taken: number, said: number | undefined, usual: number): number {
  return said !== undefined && said > taken ? said : taken + usual;
}

/** The id of the node that people know by this name. */
export function nodeNamed(graph: Graph, name: string): string {
  const nodes = Object.values(graph.nodes);
  const parts = new Set(nodes.flatMap((node) => node.parts ?? []));
  const wanted = name.trim().toLowerCase();
  const free = nodes.filter(({ id }) => !parts.has(id));
  const found = free.find(({ id, title }) => title.toLowerCase() === wanted || id.toLowerCase() === wanted);
  if (found) return found.id;
  const titles = free.map(({ title }) => title);
  const todo = didYouMean(name, titles, `write one of its steps: ${titles.join(', ')}`);
  throw new DocketError('INVALID', `the workflow ${graph.name} has no step "${name}"`, todo, { step: name });
}

/** What failed, or led nowhere, is to be done once more; nothing: it is over, and begins from the start. */
function standing(run: Run, graph: Graph, kept: Graph | undefined): Entry[] {
  const last = run.steps.at(-1);
  if (!last || (kept && isFinished(kept, run))) return [];
  const round = run.steps.filter(({ id }) => id === last.id || last.needs.includes(id));
  const stuck = round.filter((step) => step.id === last.id || run.states[step.id]?.state !== 'done');
  const gone = stuck.find(({ node }) => node === undefined || !Object.hasOwn(graph.nodes, node));
  if (gone) throw goneStep(graph, gone);
  const reason = 'it is tried again';
  return stuck
    .filter(({ id }) => isOver(run, id))
    .map(({ id }): Entry => ({ type: 'redo', step: id, reason }));
}

function isFinished(graph: Graph, run: Run): boolean {
  const next = nextIn(graph, run, { maxSteps: Infinity });
  return next.kind === 'end' && next.as === 'done';
}

function stepsFrom(graph: Graph, run: Run | undefined, node: string): Step[] {
  const next = ordered(graph, run ?? { steps: [] }, node, { maxSteps: Infinity });
  if (next.kind !== 'order') throw new Error('a step cannot be ordered without a limit');
  return next.steps;
}

function same(a: Text | undefined, b: Text): boolean {
  return typeof a === 'object' && typeof b === 'object' && a.blob === b.blob;
}

function goneStep(graph: Graph, { title }: Step): DocketError {
  const todo = fix`say where it goes on: ${command`retry <task> --from <step>`}`;
  return new DocketError('INVALID', `the workflow ${graph.name} has no step "${title}" any more`, todo, {
    step: title,
  });
}
