import { wordFinder } from '../../report/classify-words.ts';

export type WorkKind = 'debug' | 'research' | 'broadcast' | 'coding';

const kinds: readonly { kind: WorkKind; agent: string; names: (text: string) => boolean }[] = [
  {
    kind: 'debug',
    agent: 'debugger',
    names: wordFinder(['debug', 'bug', '故障', '异常', '排查', 'trace', 'error']),
  },
  {
    kind: 'research',
    agent: 'invest-analyst',
    names: wordFinder(['research', '分析', '调研', 'source', 'report']),
  },
  {
    kind: 'broadcast',
    agent: 'broadcaster',
    names: wordFinder(['broadcast', '公告', '发布', 'summary', '同步']),
  },
];

/** What kind of work it is: first by who does it, then by its words. */
export function kindOf(agent: string, text: string): WorkKind {
  const found = kinds.find((each) => each.agent === agent) ?? kinds.find(({ names }) => names(text));
  return found?.kind ?? 'coding';
}

export const requirements: Readonly<Record<WorkKind, readonly [string, string, string]>> = {
  coding: [
    'Make the smallest change that reaches the objective, in the style of what is there.',
    'Run the tests or checks that cover it, and keep the command and its outcome as evidence.',
    'List every file that you changed, with what changed in it.',
  ],
  debug: [
    'Reproduce the problem first; keep the log, error or stack trace that shows it.',
    'Name the cause, mend it where it is, and show that the same steps pass now.',
    'If it cannot be reproduced, say what you tried and what you need.',
  ],
  research: [
    'Answer the question itself; keep facts and opinions apart.',
    'Give the source of every figure and claim: a link, a document, or the data.',
    'Say what is uncertain, and what would settle it.',
  ],
  broadcast: [
    'Write for people who know nothing of the task: what changed, for whom, from when.',
    'Say only what the board or a source confirms, and name it.',
    'Hand back the text as it was published, and where.',
  ],
};
