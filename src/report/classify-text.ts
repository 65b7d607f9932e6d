import {
  blocked,
  counted,
  done,
  failed,
  fraction,
  ongoing,
  question,
  type Signal,
} from './classify-signals.ts';
import { clausesOf } from './classify-words.ts';

export type Progress = 'done' | 'blocked' | 'progress';

/** What is further on in a message does not change what it says. */
const longest = 32_768;

const tag = /^\s*\[(done|blocked)\]/i;
const mention = /<at\b[^<>]{0,200}>[^<>]{0,200}<\/at>|@[\w.-]{1,64}/gi;
const address = /https?:\/\/\S{1,2000}/gi;
const file =
  /[\w.~@+-]{0,200}(?:[/\\][\w.@+-]{1,200})+|[\w-]{1,100}\.(?:md|txt|log|py|[jt]sx?|json|ya?ml|sh|csv|html?|png|go|rs|java)\b/gi;
const taskIds = /\b[A-Za-z]{1,16}-\d{1,12}\b/g;

/**
 * What somebody's own words say about their task. It is done or blocked only when they say so; whatever is unclear is
 * progress, which changes nothing. `title`: the task's own, whose words say nothing about how far it is.
 */
export function classifyText(text: string, { title = '' }: { title?: string } = {}): Progress {
  const all = plain(text.slice(0, longest));
  const words = (title.trim() === '' ? all : all.replaceAll(plain(title), ' ')).replaceAll(mention, ' ');
  const tagged = tag.exec(words.replace(/^[\s:]*[A-Za-z]+-\d+[\s:]*/, ''))?.[1]?.toLowerCase();
  if (tagged === 'done' || tagged === 'blocked') return tagged;
  return said(words.replaceAll(address, ' ').replaceAll(file, keepFraction).replaceAll(taskIds, ' '));
}

function said(text: string): Progress {
  let isDone = false;
  let unfinished = false;
  let hasFailed = false;
  for (const clause of clausesOf(text)) {
    if (question.test(clause.trim())) continue;
    if (occurrences(clause, blocked).length > 0) return 'blocked';
    const part = fraction.exec(clause);
    const partial = part !== null && Number(part[1]) < Number(part[2]);
    const failures = occurrences(clause, failed);
    hasFailed ||= failures.length > 0;
    unfinished ||= partial || failures.some(isCounted) || occurrences(clause, ongoing).length > 0;
    isDone ||= occurrences(clause, done).length > 0;
  }
  if (isDone) return unfinished ? 'progress' : 'done';
  return hasFailed ? 'blocked' : 'progress';
}

interface Around {
  before: string;
  after: string;
}

/** No more than this around a word can take it back; that keeps long clauses cheap. */
const near = 60;

/** Where a clause gives this sign and does not take it back. */
function occurrences(clause: string, { words, before, after }: Signal): Around[] {
  return [...clause.matchAll(words)]
    .map(({ index, 0: word }) => ({
      before: clause.slice(Math.max(0, index - near), index),
      after: clause.slice(index + word.length, index + word.length + near),
    }))
    .filter((around) => !before.test(around.before) && !after.test(around.after));
}

function isCounted({ before, after }: Around): boolean {
  return counted.before.test(before) || counted.after.test(after);
}

/** Full-width letters and marks are the same as narrow ones. */
function plain(text: string): string {
  return text.normalize('NFKC');
}

/** 3/5 is no file. */
function keepFraction(match: string): string {
  return /^\d+\/\d+$/.test(match) ? match : ' ';
}
