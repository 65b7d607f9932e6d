import path from 'node:path';
import { judgeClaims, type JudgedClaim, type Seen } from '../gate/claims.ts';
import { exists } from '../io/links.ts';
import { claimsIn, type Claims } from '../report/claims.ts';
import type { Task } from '../task/schema.ts';
import { isOurs } from '../workspace/fingerprint.ts';
import { ignoredIn } from '../workspace/ignored.ts';

type Report = Readonly<Record<string, unknown>>;

/** A report's claims, and the folder that they speak from. */
interface Said {
  claims: Claims;
  from: string;
}

/**
 * What the reports say, held against the tree. Of many rounds the last one that says it changed something counts, and what
 * came after it: what an earlier one made may rightly be gone. `handed`: a report that is not written down yet.
 */
export async function checkClaims(
  task: Task,
  handed: Report | undefined,
  { cwd, changed, ran }: { cwd: string } & Pick<Seen, 'changed' | 'ran'>,
): Promise<JudgedClaim[]> {
  const judged: JudgedClaim[] = [];
  for (const { claims, from } of lastSaid(task, handed)) {
    const inTree = (name: string) => placeOf(name, cwd, from);
    const isThere = (name: string) => exists(path.join(cwd, name));
    const ignored = (paths: readonly string[]) => ignoredIn(cwd, paths);
    judged.push(...(await judgeClaims(claims, { changed, ran, inTree, exists: isThere, ignored })));
  }
  return judged;
}

function lastSaid({ run }: Task, handed: Report | undefined): Said[] {
  const starts = run ? [...run.rounds, run.steps.length] : [];
  const rounds = starts.slice(0, -1).map((start, at) =>
    (run?.steps.slice(start, starts[at + 1]) ?? []).flatMap((step): Said[] => {
      const { state, report } = run?.states[step.id] ?? {};
      if (state !== 'done' || report?.['status'] !== 'success') return [];
      return [{ claims: claimsIn(report), from: step.cwd ?? '.' }];
    }),
  );
  if (handed) rounds.push([{ claims: claimsIn(handed), from: '.' }]);
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
