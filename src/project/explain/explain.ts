import { readEvidence } from '../../engine/evidence-book.ts';
import { isAtWork } from '../../engine/leftover-attempts.ts';
import { sidesOf } from '../../kinds/bridges/sides.ts';
import type { FoundTask } from '../../kinds/kind.ts';
import { askedAt } from '../../render/asked.ts';
import { causeOf } from '../../render/explain/cause.ts';
import { callsOf, rulingsOf, timelineOf } from '../../render/explain/story.ts';
import type { Call, Circle, Explanation } from '../../render/explain/types.ts';
import { loopWords } from '../../render/loop.ts';
import { makeMasker } from '../../render/masker.ts';
import { loopsFor } from '../../settings/loops.ts';
import { knownSecrets } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { roomNow } from '../../settings/room.ts';
import { openReader } from '../../store/open/open.ts';
import { roomText } from '../../task/caps.ts';
import { loopIn } from '../../task/loop.ts';
import type { Task } from '../../task/schema.ts';
import { findTask, waitsOf } from '../tasks/find.ts';
import { kindNamed } from '../tasks/kinds.ts';
import { goOn, nextOf } from '../tasks/next.ts';
import { lastDiffs } from './diffs.ts';
import { stepsFor } from './steps-for.ts';

/** Everything that is known about how a task came to be as it is. Takes no lock and changes nothing. */
export async function explain(where: Project, ref: string, of: string | undefined): Promise<Explanation> {
  const found = await findTask(where, ref, of);
  const { kind, task, name, store } = found;
  const events = await openReader(store, where.clock).history(task.id);
  const loop = await circleOf(found, where);
  const freed = await freedIn(found, where);
  return {
    kind,
    id: task.id,
    name,
    title: task.title,
    status: task.status,
    cause: {
      ...causeOf(task, waitsOf(found), nextOf(kind).idle(task, name)?.text),
      ...allAsked(task),
      ...freed?.cause,
    },
    next: freed?.next ?? (await stepsFor(found, where, of)),
    ...sidesOf(kind, task),
    ...(task.used && { used: task.used }),
    timeline: timelineOf(events),
    attempts: callsOf(events).map((call) => asItIs(call, task)),
    decisions: rulingsOf(events),
    evidence: evidenceOf(found, where),
    ...(loop && { loop }),
  };
}

/** A cap held it that has room again: then nobody has to do more than to run it. */
async function freedIn({ kind, task }: FoundTask, where: Project) {
  if (task.status !== 'blocked' || !task.reason.cap) return undefined;
  const { reason, spec } = task;
  const hasRoom = await roomNow(where, [reason]);
  if (!hasRoom(reason, spec.budget)) return undefined;
  const text = `${roomText(task.reason.cap)}: the next run goes on with it`;
  return { cause: { text, who: 'docket' }, next: [goOn(kind)] };
}

/** Nothing is said to be at work that is not: not what was given up, nor what a docket that died left behind. */
function asItIs(call: Call, { status, attempts }: Task): Call {
  const latest = attempts?.[call.step];
  if (call.outcome !== undefined) return call;
  if (latest?.n === call.n && (status === 'running' || isAtWork(latest))) return call;
  return { ...call, outcome: status === 'canceled' ? 'stopped' : 'lost' };
}

/** The reason of a block has one line for each gate; here is room for all that is asked. */
function allAsked({ status, run }: Task): { text?: string } {
  const gates = status === 'blocked' ? Object.entries(run?.gates ?? {}) : [];
  const waiting = gates.filter(([, { state }]) => state === 'blocked');
  const told = waiting.map(([id, gate]) => ({ id, gate, ...askedAt(run, gate) }));
  if (!told.some(({ questions }) => questions)) return {};
  const lines = told.flatMap(({ id, gate, questions = [], summary }) => [
    `${id}: ${summary ?? gate.reason}`,
    ...questions.map((question) => `  ${question}`),
  ]);
  return { text: lines.join('\n') };
}

async function circleOf(found: FoundTask, where: Project): Promise<Circle | undefined> {
  const { task } = found;
  if (task.status !== 'blocked' || task.reason.kind !== 'loop') return undefined;
  const config = await readConfig(where.root, where.env);
  // A workflow with a monitor counts further than the settings say: what was held shows itself at the usual number.
  const loop = loopIn(task.run?.trail, loopsFor(config, '').times || undefined);
  if (!loop) return undefined;
  const masker = makeMasker(knownSecrets(where, config));
  const steps = loop.ends.flatMap(({ step }) => step ?? []);
  const diffs = await lastDiffs(found, loop, { root: where.root, masker });
  return { pattern: loop.kind, steps, times: loop.ends.length, text: loopWords(loop, task), diffs };
}

function evidenceOf(found: FoundTask, { root }: Project): Explanation['evidence'] {
  const entries = readEvidence(root, kindNamed(found.kind).evidence(found, root), found.task.id);
  return entries.map(({ id, at, kind, what, ok, note, wrong }) => ({
    id,
    at,
    kind,
    what,
    ok,
    ...(note !== undefined && { note }),
    ...(wrong !== undefined && { wrong }),
  }));
}
