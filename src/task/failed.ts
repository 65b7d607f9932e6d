import type { Run, Step } from './run.ts';

export function failedIn(run: Run | undefined): Step[] {
  return run?.steps.filter(({ id }) => run.states[id]?.state === 'failed') ?? [];
}

const mostNamed = 5;
const longest = 300;

/** Which steps failed and why, in one line: whoever reads only this knows what to mend. */
export function whyFailed({ states }: Pick<Run, 'states'>, failed: readonly Step[]): string {
  const named = failed.slice(0, mostNamed).map(({ id }) => `${id}: ${firstOf(states[id]?.reason)}`);
  const more = failed.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** A line that only announces is told with the one below it. */
function firstOf(reason = ''): string {
  const [first = '', second = ''] = reason.split('\n').flatMap((line) => line.trim() || []);
  const words = first.endsWith(':') ? `${first} ${second}`.trim() : first;
  if (words === '') return 'it failed';
  return words.length <= longest ? words : `${words.slice(0, longest)}…`;
}
