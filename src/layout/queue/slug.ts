/** Where a task's own folder may be. The spec calls `.takt/tasks/invalid` wrong; the tool's own rule takes it. */
export const taskDirPattern = /^\.takt\/tasks\/[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

const maxLength = 30;

/** A name for entries, folders and branches. Never empty. */
export function slugify(text: string): string {
  const words = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return trimmed(trimmed(words).slice(0, maxLength)) || 'task';
}

/** After `slugify` no two dashes are neighbours, so one at each end is all there can be. */
function trimmed(words: string): string {
  return words.slice(words.startsWith('-') ? 1 : 0, words.endsWith('-') ? -1 : undefined);
}

/** `.takt/tasks/20260201-015714-add-login`: sorts by time, in UTC. */
export function taskDirFor(slug: string, now: string): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  return `.takt/tasks/${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${slug}`;
}
