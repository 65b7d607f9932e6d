import { hashOf } from '../../task/loop.ts';
import type { Chose, Step } from '../../task/run.ts';
import type { Mark } from '../../task/trail-schema.ts';
import { isFinding } from '../../workflow/circles.ts';
import type { Node } from '../../workflow/graph.ts';
import type { TaskRun } from './task-run.ts';

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
export function checksMark(
  run: TaskRun,
  step: Step | undefined,
  failures: readonly string[],
): Mark | undefined {
  if (!run.circles) return undefined;
  const finding = failures.some((text) =>
    isFinding({ rules: [] }, undefined, text.slice(text.indexOf('\n') + 1)),
  );
  const said = failures.length === 0 ? ['passed'] : failures;
  return { ...run.tree.mark(step?.id ?? ''), said: hashOf(...said), ...(finding && { finding }) };
}
