import { type Locale, wordsOf } from '../../render/board/words.ts';
import type { Classified } from '../../report/classify.ts';

/** Why a worker's task is blocked, as a sentence: the worker's own words, or what is missing in them. Never a code alone. */
export function workerReason(
  { reasonCode, detail }: Pick<Classified, 'reasonCode' | 'detail'>,
  locale: Locale,
): string {
  if (reasonCode === 'done_with_evidence') return detail;
  const sentence = wordsOf(locale).workerEnded[reasonCode];
  if (detail === '') return sentence;
  return reasonCode === 'no_completion_signal' ? `${detail} | ${sentence}` : detail;
}
