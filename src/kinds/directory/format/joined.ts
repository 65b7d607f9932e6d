import type * as v from 'valibot';
import { block, inline } from '../../../render/markdown.ts';
import type { Json } from '../../../task/json.ts';
import { acceptedProof, isProofQuestion, proofGate } from '../../../task/proof-question.ts';
import type { Run, Step } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import { evidenceByStep } from './evidence.ts';
import type { joinedSummarySchema } from './file-schemas.ts';
import { hasResult, resultFrom, resultOf } from './result.ts';
import type { Own } from './task-file.ts';
import { countWords } from './words.ts';

/** All results of a task in one place: `shared/reports/joined-summary.json`, and what its Markdown says. */
type Joined = v.InferOutput<typeof joinedSummarySchema>;
type JoinedProof = NonNullable<Joined['proof']>;
type JoinedWorker = Joined['workers'][number];

/** Where a task keeps what the workers of other tools handed back, by instance. */
const foreignResults = 'agentmesh.results';

/** The workers of other tools come first, as they do in the roster. */
export function joined(task: Task, own: Own): Joined {
  const { goal, joinedAt, steps } = task.run ?? { goal: '', steps: [] };
  const proof = evidenceByStep(task);
  const known = new Set(steps.map(({ id }) => id));
  const foreign = own.roster.filter(({ instance }) => !known.has(instance));
  const unproved = proofOf(task.run);
  return {
    taskId: task.id,
    generatedAt: joinedAt ?? task.updatedAt,
    sessionGoal: goal,
    ...(unproved && { proof: unproved }),
    workers: [
      ...foreign.map(({ instance, agent, assignedMilestone }) => ({
        agentInstance: instance,
        agent,
        ...(resultFrom(task.extras[foreignResults]?.[instance]) ?? missing),
        ...(assignedMilestone !== null && { milestone: assignedMilestone }),
        evidence: [],
      })),
      ...steps
        .filter(({ kind }) => kind === 'work')
        .map((step) => ({
          ...fromStep(task, step),
          evidence: proof.get(step.id)?.map(({ id }) => id) ?? [],
        })),
    ],
  };
}

export function proofOf(run: Run | undefined): JoinedProof | undefined {
  const gate = run?.gates[proofGate];
  if (!gate || !isProofQuestion(gate)) return undefined;
  const { state, reason, resolvedBy: by, note } = gate;
  if (state === 'blocked') return { state: 'open', reason };
  const decided = { reason, ...(by !== undefined && { by }), ...(note !== undefined && { note }) };
  if (state === 'rejected') return { state, ...decided };
  return acceptedProof(run) ? { state: 'accepted', ...decided } : undefined;
}

const missing = {
  status: 'missing' as const,
  summary: '',
  questions: [],
  nextActions: [],
  errors: [],
};

function fromStep({ run, attempts }: Task, step: Step) {
  const { id, role, needs, milestone } = step;
  const files = [
    ...(run && hasResult(run, step) ? [`agents/${id}/artifacts/final.json`] : []),
    ...(attempts?.[id] ? [`agents/${id}/session.json`] : []),
  ];
  return {
    agentInstance: id,
    agent: role,
    ...(resultOf(step, run) ?? missing),
    ...(needs.length > 0 && { needs }),
    ...(milestone !== undefined && { milestone }),
    ...(files.length > 0 && { files }),
  };
}

/** The same as Markdown. Words of agents stand behind ours on a line, so that none of them is a heading or a marker. */
export function joinedMarkdown(summary: Joined, title: string): string {
  const lines = [
    '---',
    `title: ${JSON.stringify(inline(`Joined summary: ${title}`, 250))}`,
    'purpose: All results of this task together. Generated at each join; edits are not kept.',
    'tags: [joined-summary, subagents]',
    `task_id: ${JSON.stringify(summary.taskId)}`,
    `generated_at: ${JSON.stringify(summary.generatedAt)}`,
    '---',
    '',
    `# Joined summary: ${inline(title, 200)}`,
    '',
    `- task: \`${summary.taskId}\``,
    `- generatedAt: ${summary.generatedAt}`,
    `- sessionGoal: ${inline(summary.sessionGoal ?? '', 4000)}`,
    `- workers: ${countWords(summary.workers.map(({ status }) => status)) || 'none'}`,
    ...proofLines(summary.proof),
    '',
    '## Workers',
    ...summary.workers.flatMap(workerLines),
  ];
  return `${lines.join('\n')}\n`;
}

function proofLines(proof: JoinedProof | undefined): string[] {
  if (!proof) return [];
  const { state, reason, by, note } = proof;
  const said = note === undefined ? '' : `: ${inline(note)}`;
  const decided = by === undefined ? '' : ` (${state} by ${inline(by, 100)}${said})`;
  return [`- proof: not proved${decided}`, `  - ${block(reason)}`];
}

function workerLines(worker: JoinedWorker): string[] {
  const { agentInstance, agent, status, summary, artifacts, evidence = [], errors = [] } = worker;
  return [
    '',
    `### ${agentInstance} (${inline(agent, 100)})`,
    '',
    `- status: \`${status}\``,
    ...(worker.milestone === undefined ? [] : [`- milestone: ${inline(worker.milestone, 128)}`]),
    ...(worker.needs ? [`- needs: ${worker.needs.join(', ')}`] : []),
    ...(evidence.length > 0 ? [`- evidence: ${evidence.map((id) => `evidence:${id}`).join(', ')}`] : []),
    ...(summary.trim() === '' ? [] : [`- summary: ${inline(summary)}`]),
    ...nested('questions', worker.questions),
    ...nested('nextActions', worker.nextActions),
    ...nested('errors', errors),
    ...nested(
      'artifacts',
      Object.entries(artifacts ?? {}).map(([name, value]) => {
        return `${name}: ${artifactText(value)}`;
      }),
    ),
    ...(worker.files ? [`- files: ${worker.files.map(fileLink).join(', ')}`] : []),
  ];
}

function nested(name: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [`- ${name}:`, ...entries.map((entry) => `  - ${block(entry)}`)];
}

function artifactText(value: Json): string {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (isList) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** From shared/reports/. The ids of steps are letters, digits, "_" and "-". */
function fileLink(file: string): string {
  return `[${file.slice(file.lastIndexOf('/') + 1)}](../../${file})`;
}
