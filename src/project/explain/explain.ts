import { readEvidence } from '../../engine/evidence-book.ts';
import { isAtWork } from '../../engine/leftover-attempts.ts';
import type { FoundTask } from '../../kinds/kind.ts';
import { callsOf, rulingsOf, timelineOf } from '../../render/explain/story.ts';
import type { Call, Circle, Explanation } from '../../render/explain/types.ts';
import { loopWords } from '../../render/loop.ts';
import { makeMasker } from '../../render/masker.ts';
import { loopsFor } from '../../settings/loops.ts';
import { knownSecrets } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { openReader } from '../../store/open/open.ts';
import { loopIn } from '../../task/loop.ts';
import type { Task } from '../../task/schema.ts';
import { findTask } from '../tasks/find.ts';
import { kindNamed } from '../tasks/kinds.ts';
import { aboutTask } from './about.ts';
import { lastDiffs } from './diffs.ts';

/** Everything that is known about how a task came to be as it is. Takes no lock and changes nothing. */
export async function explain(where: Project, ref: string, of: string | undefined): Promise<Explanation> {
  return explainTask(await findTask(where, ref, of), where, of);
}

/** The same of a task that is found. */
export async function explainTask(
  found: FoundTask,
  where: Project,
  of: string | undefined,
): Promise<Explanation> {
  const { task, store } = found;
  const events = await openReader(store, where.clock).history(task.id);
  const loop = await circleOf(found, where);
  return {
    ...(await aboutTask(found, where, of)),
    timeline: timelineOf(events),
    attempts: callsOf(events).map((call) => asItIs(call, task)),
    decisions: rulingsOf(events),
    evidence: evidenceOf(found, where),
    ...(loop && { loop }),
  };
}

/** Nothing is said to be at work that is not: not what was given up, nor what a docket that died left behind. */
function asItIs(call: Call, { status, attempts }: Task): Call {
  const latest = attempts?.[call.step];
  if (call.outcome !== undefined) return call;
  if (latest?.n === call.n && (status === 'running' || isAtWork(latest))) return call;
  return { ...call, outcome: status === 'canceled' ? 'stopped' : 'lost' };
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
