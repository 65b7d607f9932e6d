import { describe, expect, it } from 'vitest';
import { layouts, ProofProject, type ProofLayout } from '../support/proof-project.ts';

const check = 'grep -q good src/made.txt';
const make = (words: string) => `mkdir -p src; echo ${words} > src/made.txt`;
const honest = { changes: ['src/made.txt: made'], evidence: [{ kind: 'command', ref: check }] };

/** What each layout makes of it: the status, and how often the agent was called. */
type Ends = Readonly<Record<ProofLayout, readonly [string, number]>>;
const all = (status: string, calls: number): Ends =>
  Object.fromEntries(layouts.map((layout) => [layout, [status, calls]])) as unknown as Ends;

const stories: readonly (readonly [string, string, object, readonly string[], Ends, RegExp])[] = [
  ['is done with what is true', make('good'), honest, [check], all('done', 1), /^$/],
  [
    'claims success with failing checks',
    make('bad'),
    honest,
    [check],
    // It is told where it can go on: twice, on the board once; a packet's stages have ended.
    { ...all('blocked', 3), packet: ['blocked', 1], board: ['blocked', 2] },
    /grep -q good src\/made\.txt/,
  ],
  [
    'mends what it is told',
    `[ "$((CALL))" -gt 1 ] && ${make('good').replace('; ', ' && ')} || { ${make('bad')}; }`,
    honest,
    [check],
    { ...all('done', 2), packet: ['blocked', 1] },
    /^$|exit code 1/,
  ],
  [
    'names a file that is not there',
    make('good'),
    { ...honest, changes: ['src/made.txt: made', 'src/never.ts: made'] },
    [],
    // It is told once. A packet's stage that is not true does not pass its gate.
    { ...all('blocked', 2), packet: ['failed', 1] },
    /src\/never\.ts: it does not exist|^codex_impl: /,
  ],
];

describe.each(layouts)('%s', { timeout: 60_000 }, (layout) => {
  it.each(stories)('%s', async (_, script, report, commands, ends, reason) => {
    const project = new ProofProject(script, report, layout === 'packet' ? [] : commands);
    const ended = await project.work(layout, commands);
    const { status, calls, evidence } = ended;
    expect([status, calls, ended.reason]).toEqual([...ends[layout], expect.stringMatching(reason)]);
    expect(evidence.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
    const ran = evidence.filter(({ kind, what }) => kind === 'command' && what === check);
    expect(ran.map(({ ok }) => ok).at(-1)).toBe(commands.length === 0 ? undefined : status === 'done');
  });
});
