import { clip } from '../../../report/clip.ts';
import { maxSummary, reportStatuses } from '../../../report/fields.ts';
import { objectOf, type Json } from '../../../task/json.ts';
import { proofQuestionFor } from '../../../task/proof-question.ts';
import type { Run, Step, StepState } from '../../../task/run.ts';

/** What a worker handed back, in the shape of the format's worker output. */
export interface Result {
  status: 'success' | 'blocked' | 'failed';
  summary: string;
  artifacts?: Record<string, Json>;
  questions: string[];
  nextActions: string[];
  errors: string[];
}

/** docket's word counts, not the agent's: a report that claims success does not undo a failed check. */
const statuses = {
  done: 'success',
  blocked: 'blocked',
  ready: 'blocked',
  failed: 'failed',
  canceled: 'failed',
  running: undefined,
} as const;

type Results = Pick<Run, 'states' | 'gates'>;

/** Undefined while there is none: the step has not begun, or is at work. */
export function resultOf(step: Step, run: Results | undefined): Result | undefined {
  const state = run?.states[step.id];
  if (!run || !state) return undefined;
  const question = state.state === 'done' ? proofQuestionFor(run, step.id) : undefined;
  const status = question ? 'blocked' : statuses[state.state];
  if (status === undefined) return undefined;
  const report = state.report ?? {};
  const reason = question?.reason ?? state.reason ?? '';
  const artifacts = artifactsOf(report);
  const errors = lines(report['errors']);
  return {
    status,
    summary: clip(text(report['summary']) || reason.trim() || silent(step, status), maxSummary),
    ...(artifacts && { artifacts }),
    questions: lines(report['questions']),
    nextActions: lines(report['nextActions']),
    errors: isOwnWord(report, status) || reason === '' ? errors : [reason, ...errors],
  };
}

/** The worker says so itself, or it went well: there is nothing that docket has to add. */
function isOwnWord(report: Readonly<Record<string, Json>>, status: Result['status']): boolean {
  return status === 'success' || report['status'] === status;
}

/** There is a final.json: docket wrote it, or another tool did. */
export function hasResult(run: Results, step: Step): boolean {
  const state = run.states[step.id];
  if (!state || step.kind === 'human') return false;
  return step.foreign ? state.report !== undefined : resultOf(step, run) !== undefined;
}

/** A worker output that another tool wrote, read as far as it makes sense. */
export function resultFrom(value: Json | undefined): Result | undefined {
  const output = objectOf(value);
  const status = reportStatuses.find((word) => word === output['status']);
  if (status === undefined) return undefined;
  const artifacts = artifactsOf(output);
  return {
    status,
    summary: clip(text(output['summary']), maxSummary),
    ...(artifacts && { artifacts }),
    questions: lines(output['questions']),
    nextActions: lines(output['nextActions']),
    errors: lines(output['errors']),
  };
}

export interface Pointer {
  kind: string;
  ref: string;
  note?: string;
}

/** What a report points to as proof. */
export function pointersOf(state: StepState | undefined): Pointer[] {
  return list(state?.report?.['evidence']).flatMap((entry) => {
    const { kind: said, ref: at, note: more } = objectOf(entry);
    const [kind, ref, note] = [text(said), text(at), text(more)];
    return kind === '' || ref === '' ? [] : [{ kind, ref, ...(note !== '' && { note }) }];
  });
}

const ofText = ['worktreePath', 'branch', 'diffStat'];
/** Parts of a report that the format has no field for. */
const extra = ['changes', 'evidence', 'risks'];

/** The format fixes the type of four of these; what has another is not what it says it is. */
function artifactsOf(report: Readonly<Record<string, Json>>): Record<string, Json> | undefined {
  const found: Record<string, Json> = { ...objectOf(report['artifacts']) };
  for (const key of ofText) if (typeof found[key] !== 'string') delete found[key];
  if ('touchedFiles' in found) found['touchedFiles'] = lines(found['touchedFiles']);
  for (const key of extra) if (list(report[key]).length > 0) found[key] = list(report[key]);
  return Object.keys(found).length > 0 ? found : undefined;
}

function silent({ id }: Step, status: Result['status']): string {
  return `${id} ended without a report (${status}).`;
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function lines(value: Json | undefined): string[] {
  return list(value).filter((entry): entry is string => typeof entry === 'string');
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}
