import { block, inline } from '../../../render/markdown.ts';
import type { Json } from '../../../task/json.ts';
import type { Joined, JoinedProof, JoinedWorker } from './joined.ts';
import { countWords } from './words.ts';

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
    `- sessionGoal: ${inline(summary.sessionGoal, 4000)}`,
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
  const { agentInstance, agent, status, summary, artifacts } = worker;
  return [
    '',
    `### ${agentInstance} (${inline(agent, 100)})`,
    '',
    `- status: \`${status}\``,
    ...(worker.milestone === undefined ? [] : [`- milestone: ${inline(worker.milestone, 128)}`]),
    ...(worker.needs ? [`- needs: ${worker.needs.join(', ')}`] : []),
    ...(worker.evidence.length > 0
      ? [`- evidence: ${worker.evidence.map((id) => `evidence:${id}`).join(', ')}`]
      : []),
    ...(summary.trim() === '' ? [] : [`- summary: ${inline(summary)}`]),
    ...nested('questions', worker.questions),
    ...nested('nextActions', worker.nextActions),
    ...nested('errors', worker.errors),
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
