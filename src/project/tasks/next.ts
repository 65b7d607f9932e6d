import { boardNext } from '../../kinds/board/next.ts';
import { directoryNext } from '../../kinds/directory/next.ts';
import { step, type About, type Forms, type KindNext } from '../../kinds/forms.ts';
import { packetNext } from '../../kinds/packet/next.ts';
import { queueNext } from '../../kinds/queue/next.ts';
import type { NextStep } from '../../render/explain/types.ts';
import type { KindName } from '../../task/kind-names.ts';
import type { NamedNeed } from '../../task/needs.ts';
import { needsNote } from '../../task/proof-question.ts';
import type { BlockReason, Task, TaskOf } from '../../task/schema.ts';

const byName: Readonly<Record<KindName, KindNext>> = {
  queue: queueNext,
  task: directoryNext,
  packet: packetNext,
  board: boardNext,
};

export function nextOf(kind: KindName): KindNext {
  return byName[kind];
}

/** Runs it, and whatever else waits for nobody. */
export function goOn(kind: KindName): NextStep {
  return step(byName[kind].run, 'go on with it');
}

const mostNeeds = 5;

/** What can be done now, the likeliest first. Each of them is a command that is taken in this state. */
export function nextSteps(about: About): NextStep[] {
  const { kind, name, task, waits = [] } = about;
  const forms = byName[kind].forms(about);
  if (task.removedAt !== undefined) return forms.restore ?? [];
  if (forms.isArchived) return forms.look;
  const gates = gateSteps(name, task);
  switch (task.status) {
    case 'queued':
      return waits.length === 0 ? forms.begin : neededSteps(about, waits, forms);
    case 'running':
      return [...gates, ...forms.watch];
    case 'review':
      return forms.review;
    case 'done':
    case 'canceled':
      return forms.over;
    case 'failed':
      return [...forms.look, ...forms.again('try it again')];
    case 'blocked':
      return gates.length > 0 ? gates : blockedSteps(task, forms);
  }
}

function neededSteps({ kind, name }: About, waits: readonly NamedNeed[], { lost }: Forms): NextStep[] {
  const again = lost?.(waits) ?? [];
  if (again.length > 0) return again;
  const there = waits.filter(({ status }) => status !== 'missing').slice(0, mostNeeds);
  if (there.length === 0) return [step(['show', name, '--of', kind], 'see what it waits for: that is gone')];
  const does = 'see why what it waits for is not done';
  return there.map(({ on, name: other = on }) => step(['explain', other, '--of', kind], does));
}

/** An agent that waits for a choice lets people choose among its own. */
function gateSteps(name: string, { run }: Task): NextStep[] {
  const waiting = Object.entries(run?.gates ?? {}).filter(([, { state }]) => state === 'blocked');
  return waiting.flatMap(([gate, facts]) => {
    const { options = [] } = facts;
    const approve = (...words: string[]) => ['gate', 'approve', name, gate, ...words];
    const choices = options
      .filter(({ kind }) => kind !== 'deny')
      .map(({ id, text }) => {
        const note = needsNote(facts, id) ? ['--note', 'TEXT'] : [];
        return step(approve(`--choice=${id}`, ...note), `answer: ${text}`);
      });
    return [
      ...(choices.length > 0 ? choices : [step(approve('--note', 'TEXT'), 'answer')]),
      step(['gate', 'reject', name, gate, '--note', 'TEXT'], 'say no: the step fails, and stays so'),
    ];
  });
}

function blockedSteps(task: TaskOf<'blocked'>, forms: Forms): NextStep[] {
  const { cap, provider, who } = task.reason;
  if (cap) return capSteps(cap, forms);
  if (provider !== undefined && who === 'docket') return parkedSteps(provider, forms);
  if (task.reason.kind === 'setup' && noWorkflow.test(task.reason.text)) return workflowSteps(task, forms);
  const { first, does } = wayOut[task.reason.kind];
  const before = first === 'look' || first === 'wait' ? forms[first] : first ? [others[first]] : [];
  return [...before, ...forms.again(does)];
}

/** To try it again as it is would be held by the same cap. */
function capSteps({ scope, unit, unpriced }: NonNullable<BlockReason['cap']>, forms: Forms): NextStep[] {
  const isUsers = scope.startsWith('user.');
  const cap = `${isUsers ? scope.slice('user.'.length) : scope}.${unit}`;
  const set = ['budget', 'set', ...(isUsers ? ['--user'] : []), cap, 'NUMBER'];
  // To raise it is no help: its price is known, or it is not capped.
  if (unpriced && scope === 'own') return [others.budget, ...forms.again('go on, when its price is known')];
  if (unpriced) return [step([...set.slice(0, -1), 'none'], 'take the cap away'), others.budget];
  const raise =
    scope === 'own' ? forms.allow(`${unit}=NUMBER`) : [step(set, 'allow more: the next run goes on with it')];
  return [...raise, others.budget];
}

/** Whoever calls before its time would be turned away without a call. */
function parkedSteps(provider: string, forms: Forms): NextStep[] {
  const does = 'if you know that it answers again: the next run goes on then';
  return [...forms.wait, others.limits, step(['limits', 'open', provider], does)];
}

/** As whoever looks for one says it: another try alone finds it no more than the first did. */
const noWorkflow = /^there is no workflow (?=\S)/;

function workflowSteps({ spec }: Task, forms: Forms): NextStep[] {
  const { workflow } = spec;
  const isName = workflow !== undefined && /^[\w-]+$/.test(workflow);
  return [
    step(['workflow', 'list'], 'see which there are, and name one of them in its record in .takt/tasks.yaml'),
    ...(isName
      ? [step(['workflow', 'new', workflow], `write .takt/workflows/${workflow}.yaml, to edit`)]
      : []),
    ...forms.again('then try it again'),
  ];
}

const others = {
  limits: step(['limits'], 'see who is left alone, and until when'),
  agents: step(['agents'], 'see whether they can be reached and are logged in'),
  budget: step(['budget'], 'see the caps, and what is used'),
};

/** What leads out of each kind of block. */
const wayOut: Readonly<
  Record<BlockReason['kind'], { first?: 'look' | 'wait' | keyof typeof others; does: string }>
> = {
  gate: { does: 'go on, when you have seen to it' },
  limit: { first: 'wait', does: 'try it now' },
  dependency: { first: 'look', does: 'go on, when what it needs is done' },
  budget: { first: 'budget', does: 'go on, when you have allowed it more' },
  auth: { first: 'agents', does: 'go on, when the agent is logged in' },
  setup: { first: 'look', does: 'go on, when what it needs is there' },
  scope: { first: 'look', does: 'go on, when you have looked at what it changed' },
  verify: { first: 'look', does: 'go on, when you have looked at what is not proved' },
  conflict: { first: 'look', does: 'go on, when the conflict is settled' },
  stall: { first: 'look', does: 'try it again' },
  crash: { first: 'look', does: 'try it again' },
  provider: { first: 'agents', does: 'try it again' },
  refused: { first: 'look', does: 'try it again, in other words' },
  loop: { first: 'look', does: 'go on, with other words for it; it counts anew' },
};
