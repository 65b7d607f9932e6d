import { transliterate } from './transliterate.ts';

/** Where a task's own folder may be. The spec calls `.takt/tasks/invalid` wrong; the tool's own rule takes it. */
export const taskDirPattern = /^\.takt\/tasks\/[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

const maxLength = 30;
/** No more of a text is looked at: what follows would be cut off anyway. */
const looksAt = 200;

/** A name for entries, folders and branches. Never empty: a text without a letter that we can spell is a "task". */
export function slugify(text: string): string {
  const words = transliterate(text.slice(0, looksAt)).replaceAll(/[^a-z0-9]+/g, '-');
  return trimmed(trimmed(words).slice(0, maxLength)) || 'task';
}

/** After `slugify` no two dashes are neighbours, so one at each end is all there can be. */
function trimmed(words: string): string {
  return words.slice(words.startsWith('-') ? 1 : 0, words.endsWith('-') ? -1 : undefined);
}

/** Two texts with one slug get two: the random end of an id tells them apart, without a list of all names to race for. */
export function uniqueSlug(slug: string, id: string): string {
  return `${slug}-${id.slice(-6)}`;
}

/** `.takt/tasks/20260201-015714-add-login`: sorts by time, in UTC. */
export function taskDirFor(slug: string, now: string): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  return `.takt/tasks/${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${slug}`;
}
