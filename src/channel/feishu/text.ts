import { isObject } from '../../task/json.ts';
import { clip } from '../clip.ts';
import { parseJson, textIn } from '../fields.ts';

const mentionTag = /<at\s+user_id="([^"<>]*)"\s*>([^<]*)<\/at>/gi;
/** The vendor takes 150 KB, counted with the escapes of JSON. */
const maxLength = 30_000;

/**
 * A text as it may be sent: who is known can be mentioned, everybody else is only named, and nobody can call all of a
 * group by writing a tag into a title.
 */
export function outgoingText(text: string, isKnown: (openId: string) => boolean): string {
  const shown: string[] = [];
  let from = 0;
  for (const match of text.matchAll(mentionTag)) {
    const [tag, id = '', name = ''] = match;
    shown.push(withoutTags(text.slice(from, match.index)));
    shown.push(id !== 'all' && isKnown(id) ? `<at user_id="${id}">${name}</at>` : `@${name}`);
    from = match.index + tag.length;
  }
  shown.push(withoutTags(text.slice(from)));
  return clip(shown.join(''), maxLength, '\n…');
}

function withoutTags(text: string): string {
  return text.replaceAll(/<(?=\/?at\b)/gi, '＜');
}

/** The words of a text or a rich-text message; undefined for pictures, files and the like. */
export function wordsOf(type: string, content: string): string | undefined {
  const value = parseJson(content);
  if (type === 'text') return isObject(value) ? textIn(value, 'text') : undefined;
  if (type !== 'post' || !isObject(value)) return undefined;
  const lines = Array.isArray(value['content']) ? value['content'] : [];
  const title = textIn(value, 'title');
  return [...(title === '' ? [] : [title]), ...lines.map(lineOf)].join('\n');
}

function lineOf(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  return parts
    .map((part) => (textIn(part, 'tag') === 'at' ? textIn(part, 'user_id') : textIn(part, 'text')))
    .join('');
}

/** Puts names in the place of the vendor's marks (`@_user_1`). */
export function withNames(text: string, nameOf: (mark: string) => string | undefined): string {
  return text.replaceAll(/@_(?:user_\d+|all)/g, (mark) => nameOf(mark) ?? mark);
}
