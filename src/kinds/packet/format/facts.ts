import type { Json } from '../../../task/json.ts';

/** A time as the files of a packet have it: UTC, whole seconds. */
export function seconds(at: string): string {
  const ms = Date.parse(at);
  return `${new Date(Number.isNaN(ms) ? 0 : ms).toISOString().slice(0, 19)}Z`;
}

/** Of an error: what `signatureOf` makes. */
export const signaturePattern = /^sig:[0-9a-f]{16}$/;
export const gateResults = ['pass', 'contract_violation', 'scope_violation'] as const;
export const triageClasses = [
  'scope_violation',
  'contract_violation',
  'tooling',
  'transient',
  'prompt_too_large',
  'auth',
  'limit',
  'timeout',
  'budget',
  'unknown',
] as const;
export type TriageClass = (typeof triageClasses)[number];

/** What the last attempt of a stage came to: the source of meta.json, gate results, last_failure.json and the summary. */
export interface StageFacts {
  stage: string;
  /** Who did it: the stage's own tool, or who stood in. */
  tool: string;
  role: string;
  model?: string;
  /** The agent's; 124 for a timeout, 127 for a program that is not there, -1 where nobody knows. */
  exit_code: number;
  start: string;
  end: string;
  duration_sec: number;
  prompt_sha256: string;
  gate: { result: (typeof gateResults)[number]; reasons: string[] };
  /** Absent when it went well. */
  failure?: { class: TriageClass; signature: string; actions: string[] };
  err: { lines: number; head: string[]; tail: string[] };
  out: { lines: number };
  /** What the first acceptance command that failed printed, and the file that has it all. */
  commands?: { file: string; lines: number; tail: string[] };
  /** Another tool did it, and marked it as done at this time; docket ran and judged nothing. */
  other?: string;
  /** What was undone because it was out of scope: paths, and the patch that keeps them. */
  undone?: { paths: string[]; patch: string };
}

/** The facts in a step's report. */
export function factsIn(report: Readonly<Record<string, Json>> | undefined): StageFacts | undefined {
  const artifacts = report?.['artifacts'];
  if (typeof artifacts !== 'object' || artifacts === null || Array.isArray(artifacts)) return undefined;
  const stage = artifacts['stage'];
  return typeof stage === 'object' && stage !== null && !Array.isArray(stage)
    ? (stage as unknown as StageFacts)
    : undefined;
}
