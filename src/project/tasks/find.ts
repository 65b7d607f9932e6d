import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { nearest } from '../../errors/nearest.ts';
import type { FoundTask, Kind, Look, Matches } from '../../kinds/kind.ts';
import { namedNeed } from '../../render/unmet.ts';
import type { Project } from '../../settings/project.ts';
import { openReader } from '../../store/open/open.ts';
import type { StorePlace } from '../../store/store.ts';
import { viewOf, type StoreView } from '../../store/view.ts';
import type { KindName } from '../../task/kind-names.ts';
import type { NamedNeed } from '../../task/needs.ts';
import { kindNamed, kinds } from './kinds.ts';

/**
 * The task that a person means: by its id, its name, `kind:name`, or how the name of one task alone begins. Reads only.
 * `of`: the only kind that is meant.
 */
export function findTask(
  where: Pick<Project, 'root' | 'clock'>,
  ref: string,
  of?: string,
): Promise<FoundTask> {
  return finderIn(where)(ref, of);
}

/** The same for many names: each store is read once. */
export function finderIn(
  where: Pick<Project, 'root' | 'clock'>,
): (ref: string, of?: string) => Promise<FoundTask> {
  const all = matcherIn(where);
  return async (ref, of) => {
    const [first, ...others] = await all(ref, of);
    if (first && others.length === 0) return first;
    if (!first) throw new Error('a matcher without a match throws');
    throw ambiguous(ref, [first, ...others]);
  };
}

/** Every task that may be meant, at least one: those of that name, else those whose names begin so. */
export function matcherIn(
  where: Pick<Project, 'root' | 'clock'>,
): (ref: string, of?: string) => Promise<FoundTask[]> {
  const look = lookIn(where);
  const among = async (
    ref: string,
    of: string | undefined,
  ): Promise<FoundTask[] | { broken: DocketError[] }> => {
    const broken: DocketError[] = [];
    const matches: Matches[] = [];
    for (const kind of kinds)
      if (of === undefined || kind.name === of)
        // A store that cannot be read hides nothing in another one.
        matches.push(...(await guarded(broken, async () => [await kind.match(look, ref)])));
    const whole = matches.flatMap((match) => match.whole);
    // A deleted task does not stand in the way of one that has its name in another kind.
    const there = whole.filter(({ task }) => task.removedAt === undefined);
    if (whole.length > 0) return there.length > 0 ? there : whole;
    const begun: FoundTask[] = [];
    for (const match of matches) begun.push(...(await guarded(broken, match.begun)));
    return begun.length > 0 ? begun : { broken };
  };
  return async (ref, of) => {
    const found = await among(ref, of);
    if (!('broken' in found)) return found;
    const [, kind, name = ''] = of === undefined ? (/^(\w+):(.+)$/.exec(ref) ?? []) : [];
    const inKind = kinds.some((one) => one.name === kind) ? await among(name, kind) : found;
    if (!('broken' in inKind)) return inKind;
    throw inKind.broken[0] ?? (await notFound(look, ref, of));
  };
}

async function guarded<T>(broken: DocketError[], job: () => Promise<T[]>): Promise<T[]> {
  try {
    return await job();
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    broken.push(error);
    return [];
  }
}

export function lookIn({ root, clock }: Pick<Project, 'root' | 'clock'>): Look {
  const views = new Map<string, Promise<StoreView>>();
  const read = (store: StorePlace): Promise<StoreView> => {
    const known = views.get(store.dir) ?? viewOf(openReader(store, clock), { removed: true });
    views.set(store.dir, known);
    return known;
  };
  return { root, clock, read };
}

const mostCandidates = 10;

/** The id tells tasks of one name apart, and the title says which task an id is. */
export function ambiguous(ref: string, found: readonly FoundTask[]): DocketError {
  const called = new Set(found.map(({ kind, task }) => `${kind}:${kindNamed(kind).nameOf(task)}`));
  const isSameName = called.size === 1;
  const isSameKind = new Set(found.map(({ kind }) => kind)).size === 1;
  const candidates = found.map(({ kind, name, task }) =>
    isSameName ? task.id : isSameKind ? name : `${kind}:${name}`,
  );
  const described = candidates.map((one, at) =>
    isSameName ? `${one} (${found[at]?.task.title.slice(0, 60)})` : one,
  );
  const more = found.length > mostCandidates ? ', …' : '';
  return new DocketError(
    'INVALID',
    `"${ref}" may mean ${found.length} tasks`,
    `say which: ${described.slice(0, mostCandidates).join(', ')}${more}`,
    {
      ref,
      candidates,
      ids: found.map(({ task }) => task.id),
      kinds: [...new Set(found.map(({ kind }) => kind))],
    },
  );
}

async function notFound(look: Look, ref: string, of: string | undefined): Promise<DocketError> {
  const looked = kinds.filter(({ name }) => of === undefined || name === of);
  const names = await Promise.all(looked.map((kind) => namesIn(kind, look)));
  const near = [...new Set(names.flatMap((all) => nearest(ref, all) ?? []))];
  const hint = near.length === 0 ? '' : `did you mean ${near.map((name) => `"${name}"`).join(' or ')}? `;
  return new DocketError(
    'NOT_FOUND',
    `there is no task "${ref}" in ${listed(looked.map(({ where }) => where))}`,
    fix`${hint}${command`list`}, ${command`task list`}, ${command`packet list`} and ${command`board status`} show what is there`,
    { ref, looked: looked.map(({ where }) => where), ...(near.length > 0 && { nearest: near }) },
  );
}

/** The names of all tasks, or of those of one kind. */
export async function taskNames(where: Pick<Project, 'root' | 'clock'>, of?: KindName): Promise<string[]> {
  const look = lookIn(where);
  const meant = kinds.filter(({ name }) => of === undefined || name === of);
  return (await Promise.all(meant.map((kind) => namesIn(kind, look)))).flat();
}

/** A store that cannot be read has no names to offer; commands that need it report why. */
function namesIn(kind: Kind, look: Look): Promise<string[]> {
  return guarded([], () => kind.names(look));
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

/** What a task waits for, by the names that people use. */
export function waitsOf({ kind: name, task, view }: FoundTask): NamedNeed[] {
  const kind = kindNamed(name);
  const called = (id: string) => {
    const other = view.tasks.find((one) => one.id === id);
    return other && kind.nameOf(other);
  };
  return (view.waits[task.id] ?? []).map((need) => namedNeed(need, called));
}
