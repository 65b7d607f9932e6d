import type { StepProgress } from '../../../app/task/api.ts';
import type { Context } from '../context.ts';
import { brief, eventText } from '../progress.ts';
import { visible } from '../visible.ts';

/** What happens in a run, one line each, on stderr. */
export function tellStep(progress: StepProgress, { out }: Context): void {
  const text = textOf(progress);
  if (text !== undefined) out.talk(`${out.paintTalk('cyan', visible(progress.step))} ${visible(text)}`);
}

function textOf(progress: StepProgress): string | undefined {
  if (progress.kind === 'event') return eventText(progress);
  if (progress.kind === 'ended') return `is ${progress.state}: ${brief(progress.summary)}`;
  const again = progress.attempt > 1 ? ` (attempt ${progress.attempt})` : '';
  return `starts with ${progress.agent}${again}: ${brief(progress.title)}`;
}
