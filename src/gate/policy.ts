import type { ProofKind } from '../report/classify-kinds.ts';
import { affirms } from '../report/classify-words.ts';
import { clip } from '../report/clip.ts';
import type { CommandResult } from './commands.ts';
import { isStage, proofsIn, type Judged, type Proof } from './policy-evidence.ts';
import {
  accepted,
  missingEvidence,
  missingFiles,
  missingKeyword,
  stageOnly,
  verifyFailed,
  type Said,
} from './policy-words.ts';

/** When work counts as done. What a role does not say, it does not ask for. */
export interface Policy {
  global: { requireEvidence: boolean };
  roles: Readonly<Record<string, RolePolicy>>;
}

interface RolePolicy {
  /** A report has one of these words at least. */
  requireAny?: readonly string[];
  /** A report has evidence of each of these kinds. */
  requiredEvidence?: readonly ProofKind[];
  /** What docket runs itself; all of them must end with 0. */
  verifyCommands?: readonly string[];
}

export interface Judgement {
  ok: boolean;
  reasonCode:
    | 'accepted'
    | 'missing_evidence'
    | 'stage_only'
    | 'role_policy_missing_keyword'
    | 'verify_failed';
  reason: Said;
  /** What would help: words, kinds of evidence, or commands. */
  missing: readonly string[];
  /** What it points to, as `kind: reference`. */
  evidence: readonly string[];
}

/** The verdict goes into the journal. */
const mostShown = 20;

/** Judges what a report says in its fields; a file that it names must be there. It runs nothing: see `verifyCommandsOf` and `judgeCommands`. */
export function judge(
  policy: Policy,
  role: string,
  report: Judged,
  isThere: (file: string) => boolean = () => true,
): Judgement {
  const { requireAny = [], requiredEvidence = [] } = roleIn(policy, role);
  const named = proofsIn(report);
  const absent = named.filter(({ kind, ref }) => kind === 'file' && !isThere(ref));
  const proofs = named.filter((proof) => !absent.includes(proof));
  const evidence = proofs.slice(0, mostShown).map(({ kind, ref }) => `${kind}: ${clip(ref.trim(), 200)}`);
  const lacking = requiredEvidence.filter((kind) => !proofs.some((proof) => proof.kind === kind));
  const text = textOf(report);
  if ((policy.global.requireEvidence && proofs.length === 0) || lacking.length > 0)
    return refuse('missing_evidence', whyMissing(lacking, absent), lacking);
  if (proofs.length === 0 && isStage(report.summary)) return refuse('stage_only', stageOnly, []);
  if (requireAny.length > 0 && !affirms(text, requireAny))
    return refuse('role_policy_missing_keyword', missingKeyword(role, requireAny), requireAny);
  return { ok: true, reasonCode: 'accepted', reason: accepted, missing: [], evidence };

  function refuse(reasonCode: Judgement['reasonCode'], reason: Said, missing: readonly string[]): Judgement {
    return { ok: false, reasonCode, reason, missing, evidence };
  }
}

function whyMissing(lacking: readonly ProofKind[], absent: readonly Proof[]): Said {
  const files = [...new Set(absent.map(({ ref }) => ref))];
  const isAsked = lacking.length === 0 || lacking.includes('file');
  return files.length > 0 && isAsked ? missingFiles(files) : missingEvidence(lacking);
}

export function verifyCommandsOf(policy: Policy, role: string): readonly string[] {
  return roleIn(policy, role).verifyCommands ?? [];
}

/** The second half of the gate. One that was not run has not passed. */
export function judgeCommands(
  so: Judgement,
  commands: readonly string[],
  results: readonly CommandResult[],
): Judgement {
  const failures = commands.flatMap((command, index) => {
    const result = results[index];
    if (result?.command !== command) return [{ command, how: 'not run' }];
    if (result.code === 0) return [];
    return [{ command, how: result.timedOut ? 'took too long' : `exit ${result.code}` }];
  });
  if (failures.length === 0) return so;
  const reason = verifyFailed(failures.map(({ command, how }) => `${command} (${how})`));
  return {
    ...so,
    ok: false,
    reasonCode: 'verify_failed',
    reason,
    missing: failures.map(({ command }) => command),
  };
}

/** Roles are written small in the files; who reports may be spelt otherwise. */
function roleIn({ roles }: Policy, role: string): RolePolicy {
  const name = [role, role.trim().toLowerCase()].find((key) => Object.hasOwn(roles, key));
  return (name === undefined ? undefined : roles[name]) ?? {};
}

/** What it says, and nothing of how it is written. A mark between the parts keeps a "not" where it belongs. */
function textOf({ summary, changes, evidence }: Judged): string {
  return [summary, ...changes, ...evidence.flatMap(({ ref, note = '' }) => [ref, note])].join(' ; ');
}
