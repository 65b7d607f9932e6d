/**
 * What a stage was made from, by name: hashes of its prompt's parts and of its template, the model, the effort, the
 * settings. A stage that rewrites one of its own inputs (a brief, the context pack) is recorded with what it left, or
 * it would never be up to date.
 */
export type Inputs = Readonly<Record<string, string>>;

interface Stale {
  stage: string;
  /** In words, one for each input. */
  reasons: string[];
}

/** The first stage that would be made from something else today: it and all behind it have to run again. */
export function staleFrom(
  stages: readonly string[],
  recorded: Readonly<Record<string, Inputs>>,
  now: Readonly<Record<string, Inputs>>,
): Stale | undefined {
  const lastRun = stages.findLastIndex((stage) => Object.hasOwn(recorded, stage));
  for (const stage of stages.slice(0, lastRun + 1)) {
    const before = Object.hasOwn(recorded, stage) ? recorded[stage] : undefined;
    if (!before) return { stage, reasons: ['it has not run, but stages behind it have'] };
    const reasons = changes(before, now[stage] ?? {});
    if (reasons.length > 0) return { stage, reasons };
  }
  return undefined;
}

function changes(before: Inputs, after: Inputs): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (was === is) return [];
    if (was === undefined) return [`${name} is new`];
    if (is === undefined) return [`${name} is gone`];
    return [isHash(was) || isHash(is) ? `${name} changed` : `${name} changed from ${was} to ${is}`];
  });
}

function isHash(value: string): boolean {
  return /^[0-9a-f]{64}$/.test(value);
}
