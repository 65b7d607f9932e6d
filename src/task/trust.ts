import type { Task, Trust } from './schema.ts';

/** Where the words of a task come from. What is not named here is a person's own. */
export const sources = ['person', 'file', 'issue', 'chat', 'agent'] as const;
export type Source = (typeof sources)[number];

/** Nobody vouches for it: it is held to less than what its agent may do else. */
export function isLow(task: { trust?: Trust }): boolean {
  return task.trust?.level === 'low';
}

/** Whose words its text is, where that is not the person in charge: agents are given them as data. */
export function foreignAuthor({ trust }: Pick<Task, 'trust'>): string | undefined {
  if (!trust || trust.source === 'person' || trust.source === 'file') return undefined;
  const { source, author } = trust;
  const kind = { issue: 'an issue', chat: 'a chat message', agent: 'an agent' }[source];
  return author === undefined ? kind : `${kind} by ${JSON.stringify(author)}`;
}
