import { block, inline } from '../../render/markdown.ts';
import type { Joined, JoinedWorker } from './joined.ts';

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
    '',
    '## Workers',
    ...summary.workers.flatMap(workerLines),
  ];
  return `${lines.join('\n')}\n`;
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
        return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
      }),
    ),
  ];
}

function nested(name: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [`- ${name}:`, ...entries.map((entry) => `  - ${block(entry)}`)];
}
