import { reportFields } from './fields.ts';

/**
 * Stands behind a prompt whose vendor has no structured output. The example is no valid report (its status is a
 * choice): an agent that only repeats what it was told has not reported anything.
 */
const example = {
  status: 'success | blocked | failed',
  summary: '…',
  changes: ['src/a.ts: …'],
  evidence: [{ kind: 'command', ref: 'npm test', note: '…' }],
  risks: [],
  nextActions: [],
  questions: [],
  errors: [],
};

const table = Object.entries(reportFields).map(([name, meaning]) => `- ${name}: ${meaning}`);

export const reportContract = [
  'When you are done, end your answer with your report: one JSON object in a fenced block, and nothing behind it.',
  'status and summary are required; a list with nothing to say is empty. Report what is true: it will be checked.',
  '',
  ...table,
  '',
  '```json',
  JSON.stringify(example, undefined, 2),
  '```',
].join('\n');

/** Asks once more, in the same session. The problem is quoted: parts of it may be the agent's own words. */
export function repairPrompt(problem: string): string {
  return [
    `Your last answer has no valid report: ${problem.replaceAll(/\s+/g, ' ').slice(0, 1000)}.`,
    'Do no further work. Answer with the report alone: one JSON object in a fenced block. Its fields:',
    '',
    ...table,
  ].join('\n');
}
