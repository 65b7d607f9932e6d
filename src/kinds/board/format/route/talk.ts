import { firstLetters } from '../../../../render/board/clip.ts';
import { isTaskId } from '../../../../task/id.ts';
import type { Intent, Locale } from '../intent.ts';
import type { Scanner } from './scanner.ts';
import { suggest } from './suggest.ts';
import { fold } from './text.ts';

interface Said {
  /** Somebody else speaks to the orchestrator. */
  toUs: boolean;
  locale: Locale;
  /** The message with its mentions. */
  raw: string;
  /** Whom a suggestion must name, as their message did. */
  agent: string | undefined;
}

const rawKept = 500;

/** What is no command. Talk to us is a report, unless it is plainly a command with a slip in it. */
export function talk(scanner: Scanner, { toUs, locale, raw, agent }: Said): Intent {
  const { text } = scanner;
  if (toUs && text === '') return { intent: 'help' };
  const taskId = firstId(scanner);
  const suggestion = suggest(scanner, locale, taskId);
  const isReport = toUs && (taskId === undefined ? suggestion === undefined : !suggestion?.complete);
  if (isReport) return { intent: 'report', ...(taskId === undefined ? {} : { taskId }), text };
  const kept = firstLetters(raw, rawKept);
  if (suggestion === undefined) return { intent: 'unknown', raw: kept };
  const forWhom = agent === undefined ? '' : `@${agent} `;
  return { intent: 'unknown', raw: kept, suggestion: `${forWhom}${suggestion.text}` };
}

/** The first id that a text names: `T-001` in any case, or what the board knows. */
function firstId({ text, isTask }: Scanner): string | undefined {
  for (const [word] of fold(text).matchAll(/[\w-]+/g)) {
    if (isTaskId(word) && isTask(word)) return word;
    const [, number] = /^t-(\d{1,20})[-_]*$/i.exec(word) ?? [];
    if (number !== undefined) return `T-${number}`;
  }
  return undefined;
}
