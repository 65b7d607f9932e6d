import path from 'node:path';
import { judgeClaims, type JudgedClaim, type Seen } from '../gate/claims.ts';
import { exists } from '../io/links.ts';
import { claimsIn, type Claims } from '../report/claims.ts';
import type { Task } from '../task/schema.ts';
import { isOurs } from '../workspace/fingerprint.ts';
import { ignoredIn } from '../workspace/ignored.ts';
import { agentRuns, type AgentRuns, type AttemptLog } from './agent-runs.ts';

type Report = Readonly<Record<string, unknown>>;

/** Claims, the folder that they speak from, and the step that makes them. */
export interface Said {
  claims: Claims;
  from: string;
  step?: string;
}

/** What there is to hold them against. */
interface Known extends Pick<Seen, 'changed' | 'ran'> {
  cwd: string;
  /** Of the task's attempts, oldest first. */
  logs: () => readonly AttemptLog[];
}

export async function checkClaims(task: Task, said: readonly Said[], known: Known): Promise<JudgedClaim[]> {
  const { cwd, changed, ran, logs } = known;
  let told: Promise<AgentRuns> | undefined;
  const judged: JudgedClaim[] = [];
  for (const { claims, from, step } of said) {
    const inTree = (name: string) => placeOf(name, cwd, from);
    const isThere = (name: string) => exists(path.join(cwd, name));
    const ignored = (paths: readonly string[]) => ignoredIn(cwd, paths);
    const byAgents = async () => {
      const { runs, whole } = await (told ??= agentRuns(task, logs()));
      return { runs, isWhole: step !== undefined && whole.has(step) };
    };
    judged.push(...(await judgeClaims(claims, { changed, ran, inTree, exists: isThere, ignored, byAgents })));
  }
  return judged;
}

/**
 * What the reports say. Of many rounds the last one that says it changed something counts, and what came after it: what an
 * earlier one made may rightly be gone. `handed`: a report of the last step that is not written down yet.
 */
export function saidIn({ run }: Task, handed: Report | undefined): Said[] {
  const starts = run ? [...run.rounds, run.steps.length] : [];
  const rounds = starts.slice(0, -1).map((start, at) =>
    (run?.steps.slice(start, starts[at + 1]) ?? []).flatMap((step): Said[] => {
      const { state, report } = run?.states[step.id] ?? {};
      if (state !== 'done' || report?.['status'] !== 'success') return [];
      return [{ claims: claimsIn(report), from: step.cwd ?? '.', step: step.id }];
    }),
  );
  const step = run?.steps.at(-1)?.id;
  if (handed) rounds.push([{ claims: claimsIn(handed), from: '.', ...(step !== undefined && { step }) }]);
  const last = rounds.findLastIndex((round) => round.some(({ claims }) => claims.saysChanged));
  return rounds.slice(Math.max(0, last)).flat();
}

/** From the work tree. Undefined: it is outside, or docket's own. */
function placeOf(name: string, cwd: string, from: string): string | undefined {
  const below = (base: string) => path.relative(cwd, path.resolve(cwd, base, name)).replaceAll(path.sep, '/');
  const [top, inner] = [below('.'), below(from)];
  const place = top !== inner && exists(path.join(cwd, inner)) ? inner : top;
  const isOutside = place === '' || place === '..' || place.startsWith('../') || path.isAbsolute(place);
  return isOutside || isOurs(place) || place.startsWith('.takt/') ? undefined : place;
}
