import type { BlockReason, Verdict } from '../task/schema.ts';
import { idOf, type Evidence } from './evidence.ts';

/** How things stand when a task would be done. */
export interface World {
  taskId: string;
  /** The work tree now. */
  tree: string;
  /** When somebody who may change it was last let in; '' for never. */
  changedAt: string;
  /** The entries that this docket made itself: agents can write to the file as well. */
  made: ReadonlySet<string>;
  /** The hash of an output file as it is now. */
  hashOf: (file: string) => string | undefined;
  /** What has to have ended well. */
  commands: readonly string[];
  /** The last lines of an output, for who has to mend it. */
  tailOf: (entry: Evidence) => string;
}

export interface Refused {
  entry: Evidence;
  why: string;
}

/** Why an entry proves nothing here. `isForeign`: it has no business to be there at all. */
export function refusalOf(
  entry: Evidence,
  world: Omit<World, 'commands' | 'tailOf'>,
): { why: string; isForeign: boolean } | undefined {
  const { taskId, tree, changedAt, made, hashOf } = world;
  const foreign = (why: string) => ({ why, isForeign: true });
  const stale = (why: string) => ({ why, isForeign: false });
  if (entry.taskId !== taskId) return foreign(`it is of task ${entry.taskId}`);
  if (entry.id !== idOf(entry)) return foreign('it was changed after it was made');
  if (!made.has(entry.id)) return stale('it was not made in this run of docket');
  if (entry.tree !== tree) return stale(`it was made on another tree (${entry.tree}, which is ${tree} now)`);
  if (Date.parse(entry.at) < Date.parse(changedAt))
    return stale(`it is older than the last change (${changedAt})`);
  const { output } = entry;
  if (output && hashOf(output.file) !== output.sha256) return foreign(`${output.file} is not what it was`);
  return undefined;
}

/**
 * Whether these entries prove that a task is done. pass: with their ids. retry: commands failed, which who did the work
 * may mend. hold: a person has to look.
 */
export function proofOf(
  entries: readonly Evidence[],
  world: World,
): { verdict: Verdict; refused: Refused[] } {
  const refused: Refused[] = [];
  const latest = new Map<string, Evidence>();
  for (const entry of entries) {
    const no = refusalOf(entry, world);
    if (!no) latest.set(`${entry.kind} ${entry.what}`, entry);
    else if (no.isForeign) refused.push({ entry, why: no.why });
  }
  const counted = [...latest.values()];
  const wrong = (kind: Evidence['kind']) => counted.filter((one) => one.kind === kind && one.ok === false);
  const [outside] = wrong('scope');
  if (outside) return { verdict: hold('scope', outside.note ?? 'out of scope'), refused };
  const failed = world.commands.flatMap((command) => {
    const entry = latest.get(`command ${command}`);
    return entry?.ok === true ? [] : [failure(command, entry, latest.get(`claim ${command}`), world)];
  });
  const false_ = [...wrong('tree'), ...wrong('claim').filter(({ what }) => !world.commands.includes(what))];
  const untrue = false_.map(({ what, note }) => `${what}: ${note ?? 'not true'}`);
  if (failed.length > 0) return { verdict: { kind: 'retry', reason: told(failed, untrue) }, refused };
  if (untrue.length > 0) return { verdict: hold('verify', told([], untrue)), refused };
  return { verdict: { kind: 'pass', evidence: counted.map(({ id }) => id) }, refused };
}

function failure(command: string, entry: Evidence | undefined, claim: Evidence | undefined, world: World) {
  if (!entry) return `\`${command}\` was not run`;
  const how = entry.exit === 124 ? 'took too long' : `ended with exit code ${entry.exit}`;
  const said = claim?.ok === false ? ', although the report names it as proof' : '';
  const hint = entry.note === undefined ? '' : `\n(${entry.note})`;
  return `\`${command}\` ${how}${said} (${entry.id}):\n${world.tailOf(entry)}`.trimEnd() + hint;
}

function told(failed: readonly string[], untrue: readonly string[]): string {
  const claims =
    untrue.length === 0 ? [] : [`the report does not match what docket found: ${untrue.join('; ')}`];
  return [...failed, ...claims].join('\n\n');
}

function hold(kind: BlockReason['kind'], text: string): Verdict {
  return { kind: 'hold', reason: { kind, text, who: 'a person' } };
}
