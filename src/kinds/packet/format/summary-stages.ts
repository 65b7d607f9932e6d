import { doneByOther } from './other-work.ts';
import type { StageView } from './stage-view.ts';

/** With more of them than this, each has one line. */
const fewStages = 8;
const mostStages = 30;

/** The stages in their order; of very many, those around the first that is not done. */
export function stageLines(stages: readonly StageView[]): string[] {
  if (stages.length <= fewStages) return stages.flatMap(twoLines);
  const open = stages.findIndex(({ word }) => word !== 'done');
  const middle = open === -1 ? stages.length : open;
  const from = Math.max(0, Math.min(middle - mostStages / 2, stages.length - mostStages));
  const shown = stages.slice(from, from + mostStages);
  const behind = stages.length - from - shown.length;
  return [...omitted(from), ...shown.map(oneLine), ...omitted(behind)];
}

function twoLines(view: StageView): string[] {
  const told = details(view);
  return [`### ${title(view)}`, ...(told.length > 0 ? [`- ${told.join(' | ')}`] : [])];
}

function oneLine(view: StageView): string {
  return `- ${[title(view), ...details(view)].join(' | ')}`;
}

function title({ stage, tool, role, word }: StageView): string {
  return `${stage} (${tool}/${role}) — ${word}`;
}

function details({ facts, tool }: StageView): string[] {
  if (!facts) return [];
  if (facts.other !== undefined) return [doneByOther];
  const stoodIn = facts.tool === tool ? [] : [`done by: ${facts.tool}, standing in for ${tool}`];
  const { exit_code, duration_sec, out } = facts;
  const output = out.lines > 0 ? [`output: ${out.lines} lines`] : [];
  return [...stoodIn, `exit_code: ${exit_code}`, `duration: ${Math.round(duration_sec)}s`, ...output];
}

function omitted(count: number): string[] {
  return count > 0 ? [`... [${count} stages omitted] ...`] : [];
}
