import { fenced } from './fence.ts';

/** What is asked of somebody who did not do the work. The answer is quoted as data: it may hold orders of its own. */
export function judgePrompt(
  step: string,
  rules: readonly { number: number; text: string }[],
  answer: string,
): string {
  return [
    `An agent has finished the step "${step}". Below is its answer. Say which of these statements it makes true:`,
    '',
    ...rules.map(({ number, text }) => `${number}. ${text}`),
    '0. None of them, or it cannot be told.',
    '',
    'Use no tools, change nothing.',
    'Your own answer is one tag and nothing else: [JUDGE:n], with the number.',
    '',
    fenced(clipped(answer), `the agent of step ${step}`),
    '',
  ].join('\n');
}

const longest = 60_000;

/** Agents sum up at the end. */
function clipped(text: string): string {
  return text.length <= longest ? text : `…\n${text.slice(-longest)}`;
}
