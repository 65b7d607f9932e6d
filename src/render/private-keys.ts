import type { Redacted } from './redact.ts';

const marker = /-----(BEGIN|END) (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
/** No key is longer: what lies further apart are two mentions, not the two ends of one. */
const longest = 32_768;
/** What stands between the pieces of a key: line breaks, also written as `\n`, quote marks, indentation. */
const gap = /((?:[\s"'>|,;]|\\[nrt])+)/;
const piece = /^(?:[A-Za-z0-9+/=]{16,}|Proc-Type:|4|ENCRYPTED|DEK-Info:|[A-Z0-9-]{1,20}-CBC)$/;
const shortPiece = /^[A-Za-z0-9+/=]{1,15}$/;

/** Masks private keys in PEM armour, also those that begin or end outside of the text. */
export function maskPrivateKeys(text: string, mask: string): Redacted {
  const marks = [...text.matchAll(marker)];
  let masked = '';
  let done = 0;
  let count = 0;
  for (let i = 0; i < marks.length; i += 1) {
    const mark = marks[i] as RegExpExecArray;
    const next = marks[i + 1];
    let from = mark.index;
    let to = from + mark[0].length;
    if (mark[1] === 'END') {
      from -= keyLength(
        text
          .slice(Math.max(done, from - longest), from)
          .split(gap)
          .toReversed(),
      );
    } else if (next?.[1] === 'END' && next.index - to <= longest) {
      to = next.index + next[0].length;
      i += 1;
    } else {
      to += keyLength(text.slice(to, Math.min(next?.index ?? Infinity, to + longest)).split(gap));
    }
    masked += text.slice(done, from) + mask;
    done = to;
    count += 1;
  }
  return { text: masked + text.slice(done), count };
}

/** How much of the text, from the marker on, is the inside of a key. One of its lines may be short: the last. */
function keyLength(parts: readonly string[]): number {
  let length = 0;
  let waiting = 0;
  let found = false;
  let short = false;
  for (const part of parts) {
    waiting += part.length;
    if (part === '' || gap.test(part)) continue;
    if (piece.test(part)) found = true;
    else if (short || !shortPiece.test(part)) break;
    else short = true;
    length += waiting;
    waiting = 0;
  }
  return found ? length : 0;
}
