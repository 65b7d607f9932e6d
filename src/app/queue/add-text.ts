import { DocketError } from '../../errors.ts';
import { slugify } from '../../layout/queue/slug.ts';
import type { AddInput, AddPlaces } from '../add-input.ts';
import { isAgent } from '../marked.ts';
import { maskWords } from '../masking.ts';
import type { Origin } from '../trust.ts';

export interface AddedText {
  text: string;
  title: string;
  slug: string;
  /** The number of the issue that it comes from. */
  issue?: number;
  origin: Origin;
}

/** The words of a new task and what follows from them. An issue's text is data: it is stored with its source noted. */
export async function addedText(input: AddInput, places: AddPlaces): Promise<AddedText> {
  const issue = await issueOf(input, places);
  const text = await maskWords(places, issue?.text ?? input.text);
  const title = firstLine(text);
  if (title === '') throw new DocketError('INVALID', 'the task has no text', 'say what is to be done');
  const slug = (input.agentSlug && (await proposed(text, input, places))) || slugify(title);
  const origin: Origin = isAgent(places.env)
    ? { source: 'agent' }
    : issue
      ? { source: 'issue', ...issue.wrote }
      : { source: 'person' };
  return { text, title, slug, origin, ...(issue && { issue: issue.number }) };
}

async function issueOf(
  input: AddInput,
  places: AddPlaces,
): Promise<{ number: number; text: string; wrote: Pick<Origin, 'author' | 'others'> } | undefined> {
  if (input.issue === undefined && input.issueJson === undefined) return undefined;
  const { fetchIssue, issueText, parseIssue } = await import('./issue.ts');
  const issue =
    input.issueJson === undefined
      ? await fetchIssue(input.issue ?? 0, places)
      : parseIssue(input.issueJson.text, input.issueJson.source);
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
