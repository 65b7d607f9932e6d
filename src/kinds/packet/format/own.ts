import { timeOf } from '../../../schema/time.ts';
import { objectOf, type Fields, type Json } from '../../../task/json.ts';
import type { Task } from '../../../task/schema.ts';
import { seconds, signaturePattern, type TriageClass, triageClasses } from './facts.ts';

type Extras = Task['extras'];
type Spent = { tokens: number; cost: number };

/** How often an error was met, and when. */
export type Signature = { count: number; class: TriageClass; first_seen: string; last_seen: string };

/**
 * What a packet's task keeps beside the core model: what people say in `extras.packet`, what docket notes in
 * `extras.packetRun`. Apart, because people may change the manifest while a stage runs, and neither may undo the other.
 */
interface Own {
  /** What manifest.yaml says. */
  manifest: Fields;
  signatures: Readonly<Record<string, Signature>>;
  /** Attempts that ended before the agent was called (its program is not there): nobody pays for them. */
  uncalled: number;
  /** By all calls together, as far as vendors told. */
  spent: Spent;
  /** By stage, what it was made from when it last went well. */
  inputs: Fields;
  /** The lines of the context pack that name forbidden paths and that a brief wrote. */
  briefed: readonly string[];
  /** The text of config.dispatch.resolved.json. */
  resolved?: string;
  /** The work tree of the task that it is a part of: absolute. */
  tree?: string;
  /** The hash of what people had given when the run began. Absent: none is under way, or it was interrupted in order. */
  frozen?: string;
}

/** Extras come from a journal that other tools can write: what makes no sense is left out. */
export function ownOf({ extras }: Pick<Task, 'extras'>): Own {
  const { manifest } = objectOf(extras['packet']);
  const { signatures, uncalled, spent, inputs, briefed, resolved, tree, frozen } = objectOf(
    extras['packetRun'],
  );
  const { tokens, cost } = objectOf(spent);
  return {
    manifest: objectOf(manifest),
    signatures: signaturesIn(signatures),
    uncalled: isCount(uncalled) ? uncalled : 0,
    spent: { tokens: amountOf(tokens), cost: amountOf(cost) },
    inputs: objectOf(inputs),
    briefed: Array.isArray(briefed) ? briefed.filter((line) => typeof line === 'string') : [],
    ...(typeof resolved === 'string' && { resolved }),
    ...(typeof tree === 'string' && tree !== '' && { tree }),
    ...(typeof frozen === 'string' && frozen !== '' && { frozen }),
  };
}

/** What other tools did in the packet and docket has taken over: their calls, and when they marked which stage as done. */
export function otherOf({ extras }: Pick<Task, 'extras'>): { calls: number; stages: Record<string, string> } {
  const { calls, stages } = objectOf(objectOf(extras['packetRun'])['other']);
  const marked = Object.entries(objectOf(stages)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { calls: isCount(calls) ? calls : 0, stages: Object.fromEntries(marked) };
}

/** The signatures in a map that anybody may have written. */
export function signaturesIn(value: Json | undefined): Record<string, Signature> {
  const known = Object.entries(objectOf(value)).flatMap(([key, entry]) => {
    const signature = signatureIn(entry);
    return signaturePattern.test(key) && signature ? [[key, signature] as const] : [];
  });
  return Object.fromEntries(known);
}

/** The extras once an error was met again. */
export function withSignature(extras: Extras, signature: string, kind: TriageClass, at: string): Extras {
  const { signatures } = ownOf({ extras });
  const before = signatures[signature];
  const now = seconds(at);
  const entry: Signature = {
    count: (before?.count ?? 0) + 1,
    class: kind,
    first_seen: before?.first_seen ?? now,
    last_seen: now,
  };
  return withOwn(extras, { signatures: { ...signatures, [signature]: entry } });
}

/** The extras once an attempt ended before the agent was called. */
export function withUncalled(extras: Extras): Extras {
  return withOwn(extras, { uncalled: ownOf({ extras }).uncalled + 1 });
}

/** The extras once a call was paid for. */
export function withSpent(extras: Extras, { tokens, cost }: Spent): Extras {
  const { spent } = ownOf({ extras });
  return withOwn(extras, { spent: { tokens: spent.tokens + tokens, cost: spent.cost + cost } });
}

/** What docket notes, and nothing else: an edit of it leaves the manifest alone. */
export function withOwn(extras: Extras, set: Record<string, Json>): Extras {
  return { packetRun: { ...extras['packetRun'], ...set } };
}

/** Calls that agents were really given, by other tools too: every attempt of a stage has the next number. */
export function callsOf(task: Pick<Task, 'attempts' | 'extras'>): number {
  const begun = Object.values(task.attempts ?? {}).reduce((sum, { n }) => sum + n, 0);
  return Math.max(0, begun - ownOf(task).uncalled) + otherOf(task).calls;
}

function signatureIn(value: Json | undefined): Signature | undefined {
  const { count, class: said, first_seen, last_seen } = objectOf(value);
  const kind = triageClasses.find((word) => word === said);
  const [first, last] = [timeOf(first_seen), timeOf(last_seen)];
  if (kind === undefined || !isCount(count) || first === undefined || last === undefined) return undefined;
  return { count, class: kind, first_seen: seconds(first), last_seen: seconds(last) };
}

function amountOf(value: Json | undefined): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
