import type { Move } from './outcome.ts';
import { type Locale, verbFor, wordsOf } from './words.ts';

/** A notice that can be answered with a button. Its texts are shown as they are. */
export interface NoticeCard {
  title: string;
  lines: readonly string[];
  buttons: readonly CardButton[];
}

interface CardButton {
  label: string;
  look: 'plain' | 'good' | 'bad';
  press: { taskId: string; action: string; times: number };
}

/** What people may answer: intents that need no more words than the task's name. */
const answers: Partial<Record<Move, readonly (readonly [string, CardButton['look']])[]>> = {
  submitted: [
    ['approve_review', 'good'],
    ['request_changes', 'bad'],
  ],
  gated: [
    ['unblock_task', 'good'],
    ['escalate_task', 'plain'],
    ['cancel_task', 'bad'],
  ],
};

/** `times`: which asking of the task it is; an answer to an earlier one is told from an answer to this. */
export function cardFor(
  move: Move,
  about: { taskId: string; times: number },
  text: string,
  locale: Locale = 'zh',
): NoticeCard | undefined {
  const buttons = answers[move];
  if (!buttons) return undefined;
  const [title = '', ...lines] = text.split('\n');
  return {
    title,
    lines,
    buttons: buttons.map(([action, look]) => ({
      label: verbFor(action, wordsOf(locale)) ?? action,
      look,
      press: { ...about, action },
    })),
  };
}
