import path from 'node:path';
import type { Turn } from '../../adapters/fold.ts';
import type { StepResult } from '../../engine/step.ts';
import { exists } from '../../io/links.ts';
import { readEnds } from '../../io/process/log-files.ts';
import { DerivedFiles } from '../../store/derived-files.ts';
import type { Task } from '../../task/schema.ts';
import { readInput, writeOutput } from './files.ts';
import { seconds, type StageFacts } from './format/facts.ts';
import { packetLayout } from './format/layout.ts';
import { ownSignature, plainSignature } from './format/signature.ts';
import { classify } from './format/triage.ts';
import { type GateInput, handOn, judgeStage, keptToScope, passed, type StageGate } from './stage-gate.ts';
import { putBackOf, type Touched } from './trusted.ts';

const longestErr = 4 * 1024 * 1024;
const shown = 20;

/** What a try came to, redacted and written down for people, and what the gate says to it. */
export async function factsOf(
  { end, last }: StepResult,
  attempt: number,
  task: Task,
  input: GateInput & { sha256: string },
): Promise<StageFacts> {
  const { settings, dir, where, redactor, place } = input;
  const { stage, tool, role, model } = settings;
  // Another may have stood in for the stage's own tool; its files keep the name that others look for.
  const by = task.attempts?.[stage]?.agent ?? tool;
  const touched = await heldToTrust(input, task);
  const turn = last?.turn;
  const name = `outputs/${stage}.${tool}`;
  const log = path.join(place.raw, 'attempts', stage, String(attempt), 'stderr.log');
  const err = await redactor.redact(exists(log) ? readEnds(log, longestErr) : '');
  const out = await redactor.redact(turn?.text ?? '');
  const exitCode = exitCodeOf(turn);
  const byWhom = by === tool ? `${tool} (${model})` : `${by}, standing in for ${tool}`;
  writeOutput(dir, `${name}.out`, out);
  writeOutput(dir, `${name}.err`, err);
  writeOutput(dir, `${name}.wrapper.log`, await redactor.redact(wrapperLog(attempt, byWhom, exitCode, turn)));
  const now = new Date(where.clock.now()).toISOString();
  const start = seconds(task.attempts?.[stage]?.startedAt ?? now);
  const ended = seconds(now);
  const gate = touched ? await failedByTouch(input, touched) : await judged(end.kind === 'report', input);
  const errLines = lines(err);
  const facts: StageFacts = {
    stage,
    tool: by,
    role,
    ...(by === tool && { model }),
    exit_code: exitCode,
    start,
    end: ended,
    // Of the two times as they are written, so that the three agree.
    duration_sec: Math.max(0, (Date.parse(ended) - Date.parse(start)) / 1000),
    prompt_sha256: input.sha256,
    gate: {
      result: gate.result,
      reasons: (await redactor.redactAll(gate.reasons)).map((reason) => reason.slice(0, 500)),
    },
    err: {
      lines: errLines.length,
      head: errLines.slice(0, shown).map(clipped),
      tail: errLines.slice(-shown).map(clipped),
    },
    out: { lines: lines(out).length },
    ...(gate.commands && { commands: gate.commands }),
    ...(gate.undone && { undone: gate.undone }),
  };
  return end.kind === 'report' && gate.result === 'pass'
    ? facts
    : { ...facts, failure: failureOf(facts, end, err) };
}

/** An agent that came to no good end may still have written somewhere. */
async function judged(answered: boolean, input: GateInput): Promise<StageGate> {
  if (!answered) return (await keptToScope(input)) ?? passed;
  const gate = await judgeStage(input);
  if (gate.result === 'pass' && input.settings.role === 'brief') await handOn(input.text, input);
  return gate;
}

function failureOf(
  facts: StageFacts,
  end: StepResult['end'],
  stderr: string,
): NonNullable<StageFacts['failure']> {
  const { tool, err, gate } = facts;
  const { class: found, actions } = classify({
    gate: gate.result,
    exitCode: facts.exit_code,
    tool,
    stderrTail: err.tail,
    ...(end.kind === 'error' && { error: end.error }),
  });
  // An error on stderr has the signature that other tools give it; a silent one, or a gate's, has one of docket's own.
  const signature =
    gate.result === 'pass' && stderr.trim() !== ''
      ? plainSignature(stderr)
      : ownSignature({ ...facts, failure: { class: found } });
  return { class: found, signature, actions };
}

/** The agent's own; what is known better than its code is said in the codes that people know. */
function exitCodeOf(turn: Turn | undefined): number {
  if (!turn) return -1;
  if (turn.exit?.stopped === 'timeout' || turn.exit?.stopped === 'stall') return 124;
  if (!turn.exit) return turn.error?.class === 'tooling' ? 127 : -1;
  return turn.exit.code ?? -1;
}

function wrapperLog(attempt: number, byWhom: string, exitCode: number, turn?: Turn): string {
  const error = turn?.error && `${turn.error.class}: ${turn.error.message}\n`;
  return `attempt ${attempt}: ${byWhom}\nexit code ${exitCode}\n${error ?? ''}`;
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function clipped(line: string): string {
  return line.slice(0, 300);
}

/**
 * No stage has a say in what it is held to: what its agent changed of the manifest, the inputs, the settings or the files
 * that docket writes is what it was again, before the gate reads any of it.
 */
async function heldToTrust(
  {
    settings,
    trusted,
    where,
    dir,
    place,
  }: Pick<GateInput, 'settings' | 'trusted' | 'where' | 'dir' | 'place'>,
  task: Task,
): Promise<Touched | undefined> {
  // Done markers and gate results say what the journal says, whoever wrote them.
  new DerivedFiles(dir, packetLayout, where.warn).write(task);
  return putBackOf(where, place, trusted, settings.stage);
}

/** The stage failed by that alone; what else it did is held to its scope. */
async function failedByTouch(input: GateInput, { paths, patch }: Touched): Promise<StageGate> {
  const { settings, dir, redactor } = input;
  const scope = await keptToScope(input);
  const name = `outputs/${settings.stage}.undone.patch`;
  const strays = scope ? (readInput(dir, name) ?? '') : '';
  writeOutput(dir, name, (await redactor.redact(patch.toString('utf8'))) + strays);
  const reasons = paths
    .slice(0, 50)
    .map((path) => `${path}: is not for an agent to change; people change it when no stage runs (undone)`);
  return {
    result: 'scope_violation',
    reasons: [...reasons, ...(scope?.reasons ?? [])],
    undone: {
      paths: await redactor.redactAll([...paths, ...(scope?.undone?.paths ?? [])].slice(0, 200)),
      patch: name,
    },
  };
}
