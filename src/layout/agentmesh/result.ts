import { clip } from '../../report/clip.ts';
import { maxSummary, reportStatuses } from '../../report/fields.ts';
import type { Step, StepState } from '../../task/run.ts';
import type { Json } from '../layout.ts';

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

/** Undefined while there is none: the step has not begun, or is at work. */
export function resultOf(step: Step, state: StepState | undefined): Result | undefined {
  if (!state) return undefined;
  const status = statuses[state.state];
  if (status === undefined) return undefined;
  const report = state.report ?? {};
  const reason = state.reason ?? '';
  const artifacts = artifactsOf(report);
  const errors = lines(report['errors']);
  return {
    status,
    summary: clip(text(report['summary']) || reason.trim() || silent(step, status), maxSummary),
    ...(artifacts && { artifacts }),
    questions: lines(report['questions']),
    nextActions: lines(report['nextActions']),
    errors: status === 'success' || reason === '' || errors.includes(reason) ? errors : [reason, ...errors],
  };
}

/** A worker output that another tool wrote, read as far as it makes sense. */
export function resultFrom(value: Json | undefined): Result | undefined {
  const output = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
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
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return [];
    const [kind, ref, note] = [text(entry['kind']), text(entry['ref']), text(entry['note'])];
    return kind === '' || ref === '' ? [] : [{ kind, ref, ...(note !== '' && { note }) }];
  });
}

const ofText = ['worktreePath', 'branch', 'diffStat'];
/** Parts of a report that the format has no field for. */
const extra = ['changes', 'evidence', 'risks'];

/** The format fixes the type of four of these; what has another is not what it says it is. */
function artifactsOf(report: Readonly<Record<string, Json>>): Record<string, Json> | undefined {
  const given = report['artifacts'];
  const found = typeof given === 'object' && given !== null && !Array.isArray(given) ? { ...given } : {};
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
