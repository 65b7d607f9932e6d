import type { Judged, StepOrder } from '../../engine/run-workflow.ts';
import type { StepOutcome } from '../../engine/step-outcome.ts';
import type { StepResult } from '../../engine/step.ts';
import { continuation } from '../../render/prompt.ts';
import { reportFrom } from '../../report/parse.ts';
import { commandRights } from '../../settings/command-rights.ts';
import type { BlockReason, Task } from '../../task/schema.ts';
import type { Mark } from '../../task/trail-schema.ts';
import { type Snapshot, takeSnapshot, type WorkTree } from '../../workspace/snapshot.ts';
import type { Sent } from './files.ts';
import type { StageFacts } from './format/facts.ts';
import type { DigestPolicy, Manifest } from './format/manifest.ts';
import { idFor } from './format/name.ts';
import { callsOf, ownOf, withOwn, withSignature, withSpent, withUncalled } from './format/own.ts';
import type { StageSettings } from './format/resolve.ts';
import { ownSignature } from './format/signature.ts';
import { policyOf } from './format/triage.ts';
import { hash, linesNamingForbidden, readGiven } from './inputs.ts';
import { factsOf } from './stage-facts.ts';
import type { GateInput } from './stage-gate.ts';
import { type PacketRun, prompted } from './stage-prompt.ts';

interface Judging {
  settings: StageSettings;
  packet: PacketRun;
  tree: WorkTree;
  /** Of stages that may write: the tree as it was before. */
  before: Snapshot | undefined;
  policy: DigestPolicy;
  sent: Sent;
}

/** Judges each try of a stage: outputs for people, the gate, the class of a failure, and whether it is tried again. */
export function stageJudge(judging: Judging): NonNullable<StepOrder['judge']> {
  const { packet, settings } = judging;
  let { policy, sent } = judging;
  return async (result, attempt, _recorder, signal) => {
    const before = (await packet.store.get(idFor(packet.place.id))) as Task;
    const facts = await look({ ...judging, sent, signal }, result, attempt, before);
    // Its commands were ended with us: what they would have said nobody knows, and the answer is read again.
    if (signal.aborted && facts.gate.result === 'contract_violation')
      return { outcome: { state: 'stopped' } };
    packet.seen.set(settings.stage, facts);
    const report = reportOf(facts);
    const extras = extrasAfter(before, facts, { ...judging, sent }, result);
    const task = { ...before, extras: { ...before.extras, ...extras } };
    const told = { report, also: [{ type: 'edit', set: { extras } }] } satisfies Partial<Judged>;
    if (!facts.failure) return { ...told, outcome: { state: 'done', summary: report.summary } };
    const failed = failedBy(result, facts);
    const again = failed.state === 'failed' ? nextTry(facts, packet, policy) : undefined;
    if (!again) return { ...told, outcome: failed };
    const reason = budgetReached(task, packet.manifest);
    if (reason) return { ...told, outcome: { state: 'held', reason } };
    policy = again.policy;
    sent = await prompted(settings, task, packet, policy);
    const mark = await tryMark(result, facts, task, judging);
    const next = { prompt: sent.prompt, ...again.how };
    return { ...told, outcome: failed, ...(mark && { mark }), again: next };
  };
}

function look(
  judging: Judging & { signal: AbortSignal },
  result: StepResult,
  attempt: number,
  task: Task,
): Promise<StageFacts> {
  const { settings, packet, tree, before, sent, signal } = judging;
  const { where, manifest, redactor, masking, prover, place, trusted } = packet;
  const text = result.last?.turn.text ?? '';
  const from = { settings, text, manifest, tree, before, home: packet.cwd, dir: place.dir };
  const watched: GateInput['watched'] = (shown, run) => prover.watched(task, shown, run, signal);
  const untrue: GateInput['untrue'] = (claims) =>
    prover.untrue(task, { claims, from: '.', step: settings.stage });
  const rights = commandRights([task], packet.config, where.root);
  const gate = { ...from, place, where, redactor, mask: masking, rights, watched, untrue, signal, trusted };
  return factsOf(result, attempt, task, { ...gate, sha256: sent.sha256 });
}

function extrasAfter(
  { extras }: Task,
  facts: StageFacts,
  { settings, packet, sent }: Judging,
  { last }: StepResult,
): Task['extras'] {
  const { input = 0, output = 0, cost = 0 } = last?.turn.usage ?? {};
  const paid = withSpent(extras, { tokens: input + output, cost });
  const counted = facts.exit_code === 127 ? withUncalled(paid) : paid;
  if (facts.failure) return withSignature(counted, facts.failure.signature, facts.failure.class, facts.end);
  // A brief rewrites the context pack: it is up to date with what it left.
  const { context } = settings.role === 'brief' ? readGiven(packet.place.dir) : {};
  const left = context === undefined ? {} : { context: hash(context) };
  const inputs = { ...ownOf({ extras }).inputs, [settings.stage]: { ...sent.inputs, ...left } };
  const briefed = context === undefined ? {} : { briefed: linesNamingForbidden(context, packet.manifest) };
  return withOwn(counted, { inputs, ...briefed });
}

/** A limit ends by itself, or somebody has to see to it: nothing is burnt on trying. */
function failedBy({ end }: StepResult, { failure, gate, err, exit_code }: StageFacts): StepOutcome {
  if (end.kind === 'error' && failure?.class === 'limit') {
    const { message, resetAt } = end.error;
    const text = message.slice(0, 2000) || 'a limit was reached';
    return {
      state: 'held',
      reason:
        resetAt === undefined
          ? { kind: 'limit', text, who: 'a person' }
          : { kind: 'limit', text, who: 'docket', resumesAt: resetAt },
    };
  }
  // Where the agent itself said nothing (its program is not there), the adapter knows why.
  const told = err.tail.length === 0 && end.kind === 'error' ? [end.error.message] : err.tail.slice(-1);
  const said = [...gate.reasons, ...told].join('; ') || `exit code ${exit_code}`;
  return { state: 'failed', reason: `${failure?.class}: ${said}`.slice(0, 2000) };
}

interface NextTry {
  policy: DigestPolicy;
  how: Pick<NonNullable<Judged['again']>, 'goOn' | 'pauseMs'>;
}

/** How often an error is tried again is counted from the start of this run: who resumes a packet wants it tried. */
function nextTry(
  facts: StageFacts,
  { manifest, tries: counted, pauseMs }: PacketRun,
  policy: DigestPolicy,
): NextTry | undefined {
  const { failure } = facts;
  if (!failure) return undefined;
  const key = ownSignature({ ...facts, failure });
  const tries = (counted.get(key) ?? 0) + 1;
  counted.set(key, tries);
  switch (policyOf(failure.class)) {
    case 'digest-retry':
      return policy === 'aggressive' ? undefined : { policy: 'aggressive', how: { pauseMs: 0 } };
    case 'retry': {
      if (tries > manifest.budgets.retry_budget) return undefined;
      const pause = pauseMs * 2 ** Math.min(tries - 1, 4) * (0.5 + Math.random());
      return { policy, how: { goOn: continuation, pauseMs: pause } };
    }
    default:
      return undefined;
  }
}

function reportOf(facts: StageFacts) {
  const { failure, gate } = facts;
  const summary = failure ? `${failure.class} in ${facts.stage}` : `${facts.stage} passed its gate`;
  const read = reportFrom({
    status: failure ? 'failed' : 'success',
    summary,
    errors: gate.reasons,
    artifacts: { stage: facts },
  });
  if ('report' in read) return read.report;
  throw new Error(`a stage's own report is not valid: ${read.problem}`);
}

/** Its provider could not be asked: that is no try. */
const elsewhere: ReadonlySet<string> = new Set(['transient', 'limit', 'auth']);

/** What a failed try of a stage is compared by with the tries before it: its error, and the tree where it may write. */
async function tryMark(
  { end }: StepResult,
  facts: StageFacts,
  { run }: Task,
  { tree, before }: { tree: WorkTree; before: Snapshot | undefined },
): Promise<Mark | undefined> {
  const { stage, failure } = facts;
  if (!failure || (end.kind === 'error' && elsewhere.has(end.error.class))) return undefined;
  const now = before && (await takeSnapshot(tree)).tree;
  const was = run?.trail?.findLast((one) => one.node === stage)?.tree ?? before?.tree;
  return {
    said: ownSignature({ ...facts, failure }).slice('sig:'.length),
    ...(now !== undefined && { tree: now, ...(now !== was && { changed: true }) }),
  };
}

/** Which budget allows no further call. It is a person's word: reaching it stops everything, and costs no stage its place. */
export function budgetReached(
  task: Pick<Task, 'attempts' | 'extras'>,
  { budgets }: Manifest,
): BlockReason | undefined {
  const { tokens, cost } = ownOf(task).spent;
  const spent: readonly [key: keyof Manifest['budgets'], used: number, what: string][] = [
    ['paid_call_budget', callsOf(task), 'calls'],
    ['tokens', tokens, 'tokens'],
    ['cost_usd', cost, 'US dollars'],
  ];
  for (const [key, used, what] of spent) {
    const budget = budgets[key];
    if (budget === undefined || used < budget) continue;
    const text = `${key}: ${used} of ${budget} ${what} are used; raise it in manifest.yaml to go on`;
    return { kind: 'budget', text, who: 'a person' };
  }
  return undefined;
}
