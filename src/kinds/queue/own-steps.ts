import path from 'node:path';
import type { Judged } from '../../engine/run-workflow.ts';
import { type CommandResult, runCommands } from '../../gate/commands.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { commandRights } from '../../settings/command-rights.ts';
import { hashOf } from '../../task/loop.ts';
import type { Chose, Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { Mark } from '../../task/trail-schema.ts';
import { isFinding } from '../../workflow/circles.ts';
import type { Check, Node } from '../../workflow/graph.ts';
import { trail } from '../../workflow/next.ts';
import { choose } from '../../workflow/rules.ts';
import type { TaskRun } from './task-run.ts';

const usualTimeoutMs = 10 * 60_000;
const keptOutput = 16 * 1024;

/** A step that brings together what others chose. */
export async function gathered(node: Node, step: Step, task: Task, run: TaskRun): Promise<Judged> {
  const parts = step.needs.map((id) => task.run?.states[id]?.chose?.text);
  const choice = choose(node, { text: '', parts, facts: factsFor(step, task, run) });
  const summary = parts.map((text) => text ?? 'nothing').join(', ');
  const outcome = { state: 'done', summary } as const;
  const mark = run.circles && { ...(await run.tree.markNow(step.id)), said: hashOf(summary) };
  return {
    outcome: choice.kind === 'chosen' ? { ...outcome, chose: choice.chose } : outcome,
    ...(mark && { mark }),
  };
}

/** A step of docket's own: it runs commands, and what they say leads on. */
export async function checked(node: Node, task: Task, run: TaskRun, signal: AbortSignal): Promise<Judged> {
  const results = await runChecks(node.checks, task, run, signal);
  if (signal.aborted) return { outcome: { state: 'stopped' } };
  const failed = results.filter(({ code }) => code !== 0);
  const checks = failed.length === 0 ? 'passed' : 'failed';
  const step = task.run?.steps.at(-1);
  if (step) run.folder.keepAnswer(step.id, 0, checksText(results));
  const choice = choose(node, { text: '', checks, facts: step ? factsFor(step, task, run) : {} });
  const summary =
    results.length === 0
      ? 'there was nothing to run'
      : `${results.length - failed.length} of ${results.length} passed`;
  const mark = checksMark(run, step, failed.map(failureText));
  if (choice.kind === 'chosen')
    return { outcome: { state: 'done', summary, chose: choice.chose }, ...(mark && { mark }) };
  const reason = failed.map(failureText).join('\n').slice(0, 2000);
  return failed.length === 0
    ? { outcome: { state: 'done', summary } }
    : { outcome: { state: 'failed', reason } };
}

/** All of them, each in its folder of the work tree. */
export async function runChecks(
  checks: readonly Check[],
  task: Task,
  run: TaskRun,
  signal: AbortSignal,
): Promise<(CommandResult & { name: string })[]> {
  if (checks.length === 0) return [];
  const all = (outputBytes: number) => eachCheck(checks, task, run, { signal, outputBytes });
  const results = await run.prover.watched(task, keptOutput, all, signal);
  run.tree.forget(); // a build leaves files, which are not the next agent's work
  return results;
}

async function eachCheck(
  checks: readonly Check[],
  task: Task,
  { places, cwd, env, masking, config }: TaskRun,
  how: { signal: AbortSignal; outputBytes: number },
): Promise<(CommandResult & { name: string })[]> {
  const results: (CommandResult & { name: string })[] = [];
  for (const { name, command, cwd: below = '.', timeoutMs = usualTimeoutMs } of checks) {
    const [result] = await runCommands([command], {
      cwd: path.join(cwd, below),
      env,
      dir: path.join(makeOwnFolder(places.dir, 'checks'), task.id),
      timeoutMs,
      ...how,
      mask: masking,
      ...commandRights([task], config, places.root),
    });
    if (!result) break;
    results.push({ ...result, name, command: below === '.' ? command : `(cd ${below} && ${command})` });
  }
  return results;
}

export function failureText({
  name,
  command,
  code,
  timedOut,
  output,
}: CommandResult & { name: string }): string {
  const how = timedOut ? 'took too long' : `ended with exit code ${code}`;
  return `${name} (\`${command}\`) ${how}:\n${output.trim()}`;
}

function checksText(results: readonly (CommandResult & { name: string })[]): string {
  const each = results.map((one) =>
    one.code === 0 ? `${one.name} (\`${one.command}\`) passed` : failureText(one),
  );
  return `${each.join('\n\n') || 'There was nothing to run.'}\n`;
}

/** What a deterministic condition of a rule can ask about. */
export function factsFor(
  step: Step,
  task: Task,
  { graph }: TaskRun,
  structured?: unknown,
): Record<string, unknown> {
  const steps = task.run?.steps ?? [];
  return {
    context: {
      iteration: trail({ steps }).length,
      step_iteration: steps.filter(({ node, kind }) => node === step.node && kind !== 'human').length,
      max_steps: graph.maxSteps ?? null,
      task: task.title,
      workflow: graph.name,
    },
    ...(structured !== undefined && { structured }),
  };
}

/**
 * What a step's end is compared by, if it can come again. Of who may change files the files count, and the reports it
 * hands in: words about work are soon found. Of all others, what they say.
 */
export function markOf(
  { node, step, run, readOnly }: { node: Node; step: Step; run: TaskRun; readOnly: boolean },
  isWatched: boolean,
  text: string,
  chose: Chose | undefined,
): Mark | undefined {
  if (!run.circles) return undefined;
  const reports = node.reports.flatMap(({ name }) => run.folder.report(name) ?? []);
  const mark = isWatched ? run.tree.mark(step.id) : {};
  const counts = readOnly || mark.tree === undefined;
  const said = reports.length > 0 ? reports : counts ? [text] : [];
  if (said.length === 0) return mark;
  const finding = readOnly && isFinding(node, chose?.rule, said.join('\n'));
  return { ...mark, said: hashOf(...said), ...(finding && { finding }) };
}

/** What docket's own commands said. One that failed and said nothing names nothing that could be mended. */
function checksMark(run: TaskRun, step: Step | undefined, failures: readonly string[]): Mark | undefined {
  if (!run.circles) return undefined;
  const finding = failures.some((text) =>
    isFinding({ rules: [] }, undefined, text.slice(text.indexOf('\n') + 1)),
  );
  const said = failures.length === 0 ? ['passed'] : failures;
  return { ...run.tree.mark(step?.id ?? ''), said: hashOf(...said), ...(finding && { finding }) };
}
