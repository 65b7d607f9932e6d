import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Sentences that users stopped at. What replaced each is in the code; none of them comes back. */
const retired = [
  'does what names nobody',
  'can be told from later ones with the same number',
  'to look at; the rest is well',
  'When you have seen to it',
  'what is left stands still',
  'the report is not true',
  'it does not go together with',
  'To have its agent mend it',
  'nobody knows the price of the model',
  'no docket runs it now',
  'it ended well and said nothing',
  'no tokens told',
  'did not say their tokens',
  'or let any command be the agent',
  'let it be done',
  'It goes on where it stood still',
  'is held by somebody who lives',
  'An agent that cannot go on closes a gate',
  'End the work behind a gate',
  'shipped values hold',
  'nothing that is set up here',
  'nothing says what is too old',
  'They go over into each other',
  'what goes round in circles is stopped',
  'Who stands in while',
  'Once per key; also if its branch is busy',
  'take it out; to use it as text',
  'you are at work for the first time',
  'Decide what is decidable',
  'Mend it, and end as you were asked to',
];

const root = new URL('../', import.meta.url);

function textsIn(folder: string): [string, string][] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|md|yaml)$/.test(name))
    .map((name) => [`${folder}${name}`, readFileSync(new URL(`${folder}${name}`, root), 'utf8')]);
}

describe('what people and agents read', () => {
  const texts = [
    ...['src/', 'prompts/', 'facets/', 'workflows/', 'docs/how-to/', 'docs/reference/'].flatMap(textsIn),
    ...['README.md', 'docs/tutorial.md'].map((name): [string, string] => [
      name,
      readFileSync(new URL(name, root), 'utf8'),
    ]),
  ];

  it.each(retired)('no longer says "%s"', (sentence) => {
    expect(texts.filter(([, text]) => text.includes(sentence)).map(([name]) => name)).toEqual([]);
  });
});
