import path from 'node:path';
import { command, fix } from '../errors/command.ts';
import { type CommandResult, runCommands } from '../gate/commands.ts';
import type { Evidence } from '../gate/evidence.ts';
import { proofOf, refusalOf, type World } from '../gate/proof.ts';
import {
  acceptanceChanged,
  acceptanceFilesIn,
  acceptedWork,
  haveScriptsChanged,
  noCommand,
  type RealChanges,
  scopeSeen,
  type Sight,
  treeSeen,
} from '../gate/seen.ts';
import { readPart } from '../io/files.ts';
import { tryGit } from '../io/git.ts';
import { bothEnds, clip } from '../report/clip.ts';
import { type AcceptedProof, isCheckedAgain } from '../task/proof-question.ts';
import type { Task, Verdict } from '../task/schema.ts';
import { isLow } from '../task/trust.ts';
import { fingerprintOf } from '../workspace/tree-print.ts';
import { treeState, type TreeState } from '../workspace/tree.ts';
import { blockReasonFor } from './blocking-errors.ts';
import { checkClaims, type Said, saidIn } from './check-claims.ts';
import { EvidenceBook } from './evidence-book.ts';
import type { Proved, ProveNow, ProveOptions, Proving, Unproved } from './proving.ts';
import { TreeNote } from './tree-notes.ts';

const usualTimeoutMs = 30 * 60_000;
const keptOutput = 4 * 1024 * 1024;
const shownOutput = 2000;
const longestReason = 8000;
const mostClaims = 60;
/** Who did the work is told so often; then a person is. */
const mostReturns: Readonly<Record<Unproved, number>> = { failed: 2, untrue: 1 };

/** Makes the evidence of one task, and says whether it is enough. */
export class Prover implements Proving {
  readonly #options: ProveOptions;
  readonly #book: EvidenceBook;
  readonly #note: TreeNote;

  constructor(options: ProveOptions) {
    this.#options = options;
    this.#book = new EvidenceBook(options.folder);
    this.#note = new TreeNote(options.cwd, options.folder, options.changes);
  }

  async begin(): Promise<void> {
    this.#note.begin(await this.#look(false));
  }

  async end(task: Task): Promise<void> {
    try {
      if (task.status === 'done') this.#note.forget();
      else await this.#note.leave(await this.#look(true));
    } catch (error) {
      // Somebody has spoilt the place: who takes the task up again is told, and what became of it stands.
      if (!blockReasonFor(error)) throw error;
    }
  }

  back(task: Task, steps: readonly string[] = []): string | undefined {
    return this.#options.back?.(task, steps);
  }

  async accepted(task: Task, { by, note, reason }: AcceptedProof): Promise<string> {
    const tree = fingerprintOf(this.#options.cwd, await this.#look(false));
    const text = clip(`accepted by ${by}: ${note} (not proved: ${reason})`, 2000);
    return this.saw(task, tree, { kind: 'claim', what: acceptedWork, ok: null, note: text });
  }

  async prove(task: Task, how: ProveNow): Promise<Proved> {
    const commands = this.#options.commands(task);
    await this.#runDue(task, commands, how);
    if (how.signal.aborted) return { kind: 'retry', reason: 'docket was interrupted' };
    const now = await this.#look(false);
    const world = this.#world(task, commands, fingerprintOf(this.#options.cwd, now));
    const changes = await this.#note.changes(now);
    const { claims, untrue } = await this.#claims(task, saidIn(task, how.handed), changes, world);
    this.#add(world, [
      ...(commands.length === 0 && this.#ran(world).size === 0 ? [noCommand] : []),
      treeSeen(changes),
      ...(await acceptanceSeen(this.#options.cwd, commands, changes, this.#note.head)),
      ...scopeSeen(task.spec.scope, changes),
      ...claims,
    ]);
    const known = this.#world(task, commands, world.tree);
    const { verdict, refused } = proofOf([...this.#book.others(), ...this.#book.made], known);
    if (refused.length > 0) {
      const note = clip(
        `refused: ${refused.map(({ entry, why }) => `${entry.id}: ${why}`).join('; ')}`,
        2000,
      );
      this.#add(world, [{ kind: 'claim', what: 'evidence', ok: null, note }]);
    }
    return this.#settled(verdict, task, untrue);
  }

  /** Runs a gate's commands and keeps what came of them: what passed on this tree need not be run again. */
  async watched<R extends CommandResult>(
    task: Task,
    shown: number,
    run: (outputBytes: number) => Promise<R[]>,
    signal: AbortSignal,
  ): Promise<R[]> {
    const { cwd, redact = async (text) => text } = this.#options;
    const before = fingerprintOf(cwd, await this.#look(false));
    const results = await run(keptOutput);
    if (results.length === 0 || signal.aborted) return results;
    const tree = fingerprintOf(cwd, await this.#look(true));
    const seen: Omit<Evidence, 'at' | 'taskId' | 'tree' | 'id'>[] = [];
    for (const { command: what, code: exit, output, hint } of results) {
      const kept = output === '' ? {} : { output: this.#book.keep(await redact(output)) };
      const note = hint === undefined ? {} : { note: hint };
      seen.push({ kind: 'command', what, exit, ok: exit === 0, ...note, ...kept });
    }
    const note = `the commands changed the tree, which was ${before}`;
    if (before !== tree) seen.push({ kind: 'tree', what: 'commands', ok: null, note });
    this.#add(this.#world(task, [], tree), seen);
    return results.map((result) => ({ ...result, output: bothEnds(result.output, shown) }));
  }

  /** Holds what a step says against what docket sees, and keeps that. Returns what is not true. */
  async untrue(task: Task, said: Said): Promise<string[]> {
    const { changed, files, commands } = said.claims;
    if (changed.length + files.length + commands.length === 0) return [];
    const now = await this.#look(true);
    const world = this.#world(task, [], fingerprintOf(this.#options.cwd, now));
    const { claims } = await this.#claims(task, [said], await this.#note.changes(now), world);
    this.#add(world, claims);
    return claims.flatMap(({ what, ok, note }) => (ok === false ? [`${what}: ${note}`] : []));
  }

  /** Something more that docket saw. Returns the entry's id. */
  saw(task: Task, tree: string, sight: Sight): string {
    const [entry] = this.#add(this.#world(task, [], tree), [sight]);
    return entry?.id ?? '';
  }

  /** What is not proved on the tree as it is. If that changes the tree, all of them are run on what it is then. */
  async #runDue(task: Task, commands: readonly string[], how: ProveNow): Promise<void> {
    const print = async () => fingerprintOf(this.#options.cwd, await this.#look(false));
    const due = await this.#unproved(task, commands);
    if (due.length === 0) return;
    const before = await print();
    const passed = await this.#run(task, due, how);
    if (passed && (await print()) !== before) await this.#run(task, commands, how);
  }

  async #unproved(task: Task, commands: readonly string[]): Promise<string[]> {
    if (commands.length === 0) return [];
    const tree = fingerprintOf(this.#options.cwd, await this.#look(false));
    const ran = this.#ran(this.#world(task, commands, tree));
    return commands.filter((command) => ran.get(command) !== true);
  }

  /** False: one of them failed, or docket was stopped. */
  async #run(task: Task, commands: readonly string[], { env, signal }: ProveNow): Promise<boolean> {
    if (commands.length === 0) return true;
    const { cwd, scratch, root, masking, timeoutMs = usualTimeoutMs } = this.#options;
    const rights = this.#options.rights?.(task) ?? { pass: [], low: isLow(task) ? root : undefined };
    const about = {
      cwd,
      env,
      dir: scratch(),
      timeoutMs,
      signal,
      ...rights,
      ...(masking && { mask: masking }),
    };
    const run = (outputBytes: number) => runCommands(commands, { ...about, outputBytes });
    const results = await this.watched(task, shownOutput, run, signal);
    return !signal.aborted && results.every(({ code }) => code === 0);
  }

  /** The commands that were run on the tree as it is, and whether they passed there. */
  #ran(world: World): Map<string, boolean> {
    const counted = this.#book.made.filter((one) => one.kind === 'command' && !refusalOf(one, world));
    return new Map(counted.map(({ what, ok }) => [what, ok === true]));
  }

  async #claims(
    task: Task,
    said: readonly Said[],
    changes: RealChanges | undefined,
    world: World,
  ): Promise<{ claims: Sight[]; untrue: string[] }> {
    const { cwd, masking, logs } = this.#options;
    const ran = this.#ran(world);
    const byPeople = isCheckedAgain(task.run) ? (changes?.others ?? []) : [];
    const changed = changes && [...changes.touched, ...byPeople];
    const known = { cwd, changed, ran, logs: () => logs?.(task) ?? [] };
    const judged = await checkClaims(task, said, known);
    const untrue = judged.flatMap(({ ok, step }) => (ok === false && step !== undefined ? [step] : []));
    // What is wrong first: it must not be what is left out.
    const claims = judged
      .toSorted((a, b) => Number(a.ok !== false) - Number(b.ok !== false))
      .slice(0, mostClaims)
      .map(({ step: _, ...claim }) => ({ kind: 'claim' as const, ...(masking?.value(claim) ?? claim) }));
    return { claims, untrue: [...new Set(untrue)] };
  }

  #settled(verdict: Verdict, task: Task, untrue: readonly string[]): Proved {
    if (verdict.kind === 'pass' || verdict.kind === 'fail') return verdict;
    const { kind, text } =
      verdict.kind === 'hold' ? verdict.reason : { kind: 'verify' as const, text: verdict.reason };
    const unproved = verdict.kind === 'retry' ? 'failed' : 'untrue';
    const isTold = kind === 'verify' && (task.run?.returns?.[unproved] ?? 0) < mostReturns[unproved];
    if (isTold && this.back(task, untrue) !== undefined)
      return { kind: 'retry', reason: clip(text, longestReason), unproved, untrue };
    const { goOn, name, asks } = this.#options;
    const evidence = command`evidence ${name}`;
    const next = asks
      ? fix`\nSee ${evidence}, then answer: ${command`gate list ${name}`}`.text
      : fix`\nSee ${evidence}; when it is seen to: ${goOn}`.text;
    const reason = { kind, text: clip(text, longestReason - next.length) + next, who: 'a person' };
    if (!asks) return { kind: 'hold', reason };
    const workers = asks(task);
    const named = workers.filter((step) => untrue.includes(step));
    const steps = named.length > 0 ? named : workers;
    return { kind: 'hold', reason, question: { reason: clip(text, 4000), steps } };
  }

  /** A clock that was set back must not make evidence look older than the work. */
  #add(
    { taskId, tree, changedAt }: World,
    seen: readonly Omit<Evidence, 'at' | 'taskId' | 'tree' | 'id'>[],
  ): Evidence[] {
    const time = new Date(this.#options.now()).toISOString();
    const at = time < changedAt ? changedAt : time;
    return this.#book.add(seen.map((one) => ({ at, taskId, tree, ...one })));
  }

  #world({ id, run, attempts = {} }: Task, commands: readonly string[], tree: string): World {
    const { writes = () => true } = this.#options;
    const begun = (run?.steps ?? []).filter(writes).flatMap((step) => attempts[step.id]?.startedAt ?? []);
    return {
      taskId: id,
      tree,
      changedAt: begun.toSorted().at(-1) ?? '',
      made: new Set(this.#book.made.map((entry) => entry.id)),
      hashOf: (file) => this.#book.hashOf(file),
      commands,
      tailOf: ({ output }) =>
        output ? (this.#book.output(output.file) ?? '').trim().slice(-shownOutput) : '',
    };
  }

  #look(fresh: boolean): Promise<TreeState | undefined> {
    const { look, cwd } = this.#options;
    return look ? look(fresh) : treeState(cwd);
  }
}

/** A longer package.json is cut, which makes it invalid JSON: then it counts as changed. */
const longest = 4 * 1024 * 1024;

/** Says which files that the commands run the task has changed. Nothing where it changed none. */
async function acceptanceSeen(
  cwd: string,
  commands: readonly string[],
  changes: RealChanges | undefined,
  head: string,
): Promise<Sight[]> {
  const still = changes?.still ?? [];
  const packages = still.filter((file) => path.posix.basename(file) === 'package.json');
  const changed = new Set<string>();
  for (const file of packages) {
    const { code, stdout } = await tryGit(cwd, ['show', `${head}:./${file}`]);
    const now = readPart(path.join(cwd, file), 0, longest)?.toString('utf8');
    if (haveScriptsChanged(code === 0 ? stdout : undefined, now)) changed.add(file);
  }
  return acceptanceChanged(acceptanceFilesIn(commands, still, (file) => changed.has(file)));
}
