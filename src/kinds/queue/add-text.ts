import { DocketError } from '../../errors.ts';
import { isAgent } from '../../settings/caller.ts';
import { maskWords } from '../../settings/masking.ts';
import type { Origin } from '../../settings/trust.ts';
import type { AddInput, AddPlaces } from '../add-input.ts';
import type { FromBoard } from '../bridges/from-board.ts';
import { slugify } from './format/slug.ts';

export interface AddedText {
  text: string;
  title: string;
  slug: string;
  /** The number of the issue that it comes from. */
  issue?: number;
  origin: Origin;
  /** The task of another layout that it is made from. */
  from?: FromBoard;
}

/** The words of a new task and what follows from them. An issue's text is data: it is stored with its source noted. */
export async function addedText(input: AddInput, places: AddPlaces): Promise<AddedText> {
  const issue = await issueOf(input, places);
  const from = input.from === undefined ? undefined : await boardTask(input.from, places);
  const said = from ? [from.text, input.text].filter((text) => text.trim() !== '').join('\n\n') : input.text;
  const text = issue?.text ?? (await maskWords(places, said));
  const title = firstLine(text);
  if (title === '')
    throw new DocketError(
      'INVALID',
      'the task has no text',
      'say what is to be done: docket add "Fix the login"',
    );
  assertLength(text);
  const slug = (input.agentSlug && (await proposed(text, input, places))) || slugify(title);
  const origin: Origin =
    input.asker !== undefined || isAgent(places.env)
      ? { source: 'agent' }
      : issue
        ? { source: 'issue', ...issue.wrote }
        : { source: 'person' };
  return { text, title, slug, origin, ...(issue && { issue: issue.number }), ...(from && { from }) };
}

async function boardTask(ref: string, places: AddPlaces): Promise<FromBoard> {
  const { fromBoard } = await import('../bridges/from-board.ts');
  return fromBoard(places, ref);
}

/** It stands in one line of the journal, quotes and line ends included. */
const longest = 1_000_000;

function assertLength(text: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(text));
  if (bytes <= longest) return;
  const fix = 'put the long part into a file, add that with --attach FILE, and name it in the text';
  throw new DocketError('TOO_LARGE', `the text has ${bytes} bytes; a task's may have ${longest}`, fix, {
    bytes,
  });
}

async function issueOf(
  input: AddInput,
  places: AddPlaces,
): Promise<{ number: number; text: string; wrote: Pick<Origin, 'author' | 'others'> } | undefined> {
  if (input.issue === undefined && input.issueJson === undefined) return undefined;
  const { fetchIssue, issueText, parseIssue } = await import('./issue.ts');
  const found =
    input.issueJson === undefined
      ? await fetchIssue(input.issue ?? 0, places)
      : parseIssue(input.issueJson.text, input.issueJson.source);
  const issue = await maskWords(places, found);
  const { number, author = 'somebody', comments } = issue;
  return { number, text: issueText(issue), wrote: { author, others: comments.map(({ by }) => by) } };
}

async function proposed(text: string, { agent }: AddInput, places: AddPlaces): Promise<string | undefined> {
  const { proposeSlug } = await import('./propose-slug.ts');
  return proposeSlug(text, agent, places);
}

function firstLine(text: string): string {
  return (
    text
      .trim()
      .split(/\r?\n/, 1)[0]
      ?.replace(/^#+\s+/, '')
      .trim() ?? ''
  );
}
