import { command, fix } from '../../../errors/command.ts';
import { nearest } from '../../../errors/nearest.ts';
import { jsonPath, quoted, type Problem } from '../../../schema/problem.ts';
import { builtInAdapters } from './action-fields.ts';
import { cyclesIn, cycleText } from './graph.ts';

/** What a document may speak of. */
export interface Known {
  /** Agents by name, beside the two adapters that are always there. */
  agents: readonly string[];
  /** The steps that the task has already. */
  steps: readonly string[];
  /** Absent: milestones mean nothing here. */
  milestones?: readonly string[];
  /** What packets can be made for. Absent: none is ordered here. */
  intents?: readonly string[];
  /** Sessions that may be copied. Absent: any; the vendor will say. */
  sessions?: readonly string[];
  /** The project's folder, as people may write it: paths below it may be absolute. */
  roots?: readonly string[];
}

/** A subtask of which nothing is certain yet. */
type Loose = Readonly<Record<string, unknown>>;

/** What no schema can say: that names are free, and that what is named exists. */
export function checkReferences(tasks: readonly unknown[], known: Known): Problem[] {
  const loose = tasks.map((task) => (typeof task === 'object' && task !== null ? task : {}) as Loose);
  return [
    ...names(loose, known),
    ...loose.flatMap((task, at) => [
      ...agent(task, at, known),
      ...parent(task, at, known),
      ...milestone(task, at, known),
      ...packet(task, at, known),
    ]),
    ...needs(loose, known),
  ];
}

/** Folders on some systems do not tell upper from lower case. */
const fold = (id: string): string => id.toLowerCase();

/** The steps in which a planner is asked what to do next. */
const planners = /^orchestrator-\d+$/i;

function names(tasks: readonly Loose[], known: Known): Problem[] {
  const problems: Problem[] = [];
  const ids = new Map<string, number>();
  const instances = new Map<string, number>();
  const steps = new Set(known.steps.map(fold));
  const twice = (map: Map<string, number>, id: string, at: number, key: string): boolean => {
    const first = map.get(fold(id));
    if (first === undefined) {
      map.set(fold(id), at);
      return false;
    }
    const message = `${quoted(id)} is taken by ${jsonPath(['tasks', first])} already`;
    problems.push({ path: jsonPath(['tasks', at, key]), message, fix: 'choose another' });
    return true;
  };
  for (const [at, { taskId, agentInstance }] of tasks.entries()) {
    const repeated = typeof taskId === 'string' && twice(ids, taskId, at, 'taskId');
    const key = agentInstance === undefined ? 'taskId' : 'agentInstance';
    const instance = agentInstance ?? taskId;
    if (typeof instance !== 'string' || (repeated && key === 'taskId')) continue;
    if (twice(instances, instance, at, key)) continue;
    const path = jsonPath(['tasks', at, key]);
    if (planners.test(instance)) {
      problems.push({ path, message: `${quoted(instance)} is kept for the planner`, fix: 'choose another' });
    } else if (steps.has(fold(instance))) {
      const message = `the task has a subtask ${quoted(instance)} from before`;
      const { text } =
        fix`choose another agentInstance; what was begun goes on with "${command`task resume`}", and what failed with "${command`task retry`}"`;
      problems.push({ path, message, fix: text });
    }
  }
  return problems;
}

function agent({ adapter }: Loose, at: number, { agents }: Known): Problem[] {
  const known = [...new Set([...builtInAdapters, ...agents])];
  if (typeof adapter !== 'string' || known.includes(adapter)) return [];
  const path = jsonPath(['tasks', at, 'adapter']);
  return [{ path, message: `there is no agent ${quoted(adapter)}`, fix: didYouMean(adapter, known) }];
}

function parent({ mode, forkedFromThreadId: id }: Loose, at: number, { sessions }: Known): Problem[] {
  if (mode !== 'fork') return [];
  const path = jsonPath(['tasks', at, 'forkedFromThreadId']);
  if (id === undefined || id === '') {
    return [{ path, message: 'is missing: a fork needs a parent', fix: 'add the id of the session to copy' }];
  }
  if (typeof id !== 'string' || !sessions || sessions.includes(id)) return [];
  return [{ path, message: `no session ${quoted(id)} is known`, fix: didYouMean(id, sessions) }];
}

function milestone({ milestone: id }: Loose, at: number, { milestones }: Known): Problem[] {
  if (typeof id !== 'string' || !milestones || milestones.includes(id)) return [];
  const path = jsonPath(['tasks', at, 'milestone']);
  return [{ path, message: `the task has no milestone ${quoted(id)}`, fix: didYouMean(id, milestones) }];
}

/** A packet's stages have agents of their own, and work in the whole tree. */
const notForPackets = ['cwd', 'model', 'outputSchemaPath', 'timeoutSeconds', 'retries', 'forkedFromThreadId'];

function packet(task: Loose, at: number, { intents }: Known): Problem[] {
  const { packet: said } = task;
  if (said === undefined) return [];
  const path = jsonPath(['tasks', at, 'packet']);
  if (!intents) {
    const message = 'a packet is ordered by people, in a file of actions';
    return [{ path, message, fix: 'take it out; the subtask is done by its agent' }];
  }
  const intent = typeof said === 'object' && said !== null && 'intent' in said ? said.intent : said;
  const unknown: Problem[] =
    typeof intent !== 'string' || intents.includes(intent)
      ? []
      : [{ path, message: `there is no intent ${quoted(intent)}`, fix: didYouMean(intent, intents) }];
  const idle = notForPackets.filter((key) => task[key] !== undefined);
  return [
    ...unknown,
    ...idle.map((key) => ({
      path: jsonPath(['tasks', at, key]),
      message: 'means nothing for a subtask that a packet does',
      fix: 'take it out',
    })),
  ];
}

/** Each is compared with many names to guess what was meant. */
const mostUnknown = 20;

function needs(tasks: readonly Loose[], known: Known): Problem[] {
  const problems: Problem[] = [];
  const graph = new Map<string, { at: number; needs: string[] }>();
  for (const [at, { taskId, needs: ids }] of tasks.entries()) {
    if (typeof taskId !== 'string' || graph.has(taskId)) continue;
    const said: unknown[] = Array.isArray(ids) ? ids : [];
    graph.set(taskId, { at, needs: said.filter((id) => typeof id === 'string') });
  }
  const there = new Set([...graph.keys(), ...known.steps]);
  const names = [...there];
  for (const { at, needs: ids } of graph.values()) {
    for (const [nth, id] of ids.entries()) {
      if (there.has(id) || problems.length >= mostUnknown) continue;
      const path = jsonPath(['tasks', at, 'needs', nth]);
      problems.push({ path, message: `there is no subtask ${quoted(id)}`, fix: didYouMean(id, names) });
    }
  }
  for (const cycle of cyclesIn(graph)) {
    const path = jsonPath(['tasks', graph.get(cycle[0] ?? '')?.at ?? 0, 'needs']);
    problems.push({ path, message: cycleText(cycle), fix: 'take one of these needs out' });
  }
  return problems;
}

export function didYouMean(typed: string, known: readonly string[]): string {
  // Both come from outside: the search has a bound.
  const guess = typed.length > 64 ? undefined : nearest(typed, known.slice(0, 100));
  if (guess !== undefined) return `did you mean "${guess}"?`;
  return known.length === 0 ? 'take it out' : `known: ${known.slice(0, 20).join(', ')}`;
}
