import { oneLine } from './clip.ts';

/** Calls somebody in the chat. Without an id of theirs, by their role in plain words. */
export function mention(role: string, known?: { openId: string; name?: string }): string {
  // An id is written into a tag: one that could close it is none.
  if (known === undefined || !/^[\w-]+$/.test(known.openId)) return `@${bare(role)}`;
  const name = bare(known.name ?? '');
  return `<at user_id="${known.openId}">${name === '' ? bare(role) : name}</at>`;
}

function bare(name: string): string {
  return oneLine(name.replaceAll(/[<>]/g, ''));
}
