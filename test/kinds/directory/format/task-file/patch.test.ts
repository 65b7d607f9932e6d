import fc from 'fast-check';
import { describe as about, expect, it } from 'vitest';
import { parse as parseYaml, stringify } from 'yaml';
import { agentmeshLayout as layout } from '../../../../../src/kinds/directory/format/layout.ts';
import type { TaskFile } from '../../../../../src/kinds/directory/format/task-file.ts';
import type { Json } from '../../../../../src/task/json.ts';
import { json, runs } from '../../../queue/format/arbitraries.ts';
import { gates, milestones, roster, taskFile } from './arbitraries.ts';
import { entry, fileIn, fixture, fixtures, wrongIn } from './support.ts';

const patch = (text: string, changes: Record<string, Json | undefined>): string =>
  layout.patch(entry(text), changes) as string;
const head = 'id: t1\ntitle: T\ntopology: swarm\nstate: created\n';

/** Lists as sets: the file keeps its own order. */
function unordered(file: object): object {
  const sorted = (list: unknown): unknown =>
    (list as object[]).map((item) => JSON.stringify(item)).toSorted((a, b) => (a < b ? -1 : 1));
  const { milestones: m, roster: r, gates: g, ...rest } = file as TaskFile;
  return { ...rest, milestones: sorted(m), roster: sorted(r), gates: sorted(g) };
}

about('patch', () => {
  it('changes what it is asked to change and nothing else, byte for byte', () => {
    const text = fixture('by-hand');
    const file = fileIn(text);
    const [plan, build] = file.milestones as [TaskFile['milestones'][0], TaskFile['milestones'][0]];
    const [gate] = file.gates as [TaskFile['gates'][0]];
    const patched = patch(text, {
      state: 'working',
      updatedAt: '2026-03-01T00:00:00.000Z',
      milestones: [plan, { ...build, state: 'working', title: 'Build' }],
      roster: [
        ...file.roster,
        { instance: 'a', agent: 'qa', state: 'active', assignedMilestone: null, skills: [] },
      ],
      gates: [{ ...gate, state: 'blocked', blockedAt: '2026-03-01T00:00:00.000Z' }],
      config: { ...file.config, maxConcurrentAgents: 4 },
    });
    expect(patched).toBe(
      text
        .replace('state: created', 'state: working')
        .replace('updatedAt: "2026-02-03T10:00:00+09:00"', 'updatedAt: "2026-03-01T00:00:00.000Z"')
        .replace('title: "Build it"', 'title: Build')
        .replace('colour: green', 'colour: green\r\n        state: working')
        .replace(
          'room: 12\r\n',
          `room: 12\r\n    - instance: a\r\n      agent: qa\r\n      state: active\r\n      assignedMilestone: null\r\n      skills: []\r\n`,
        )
        .replace('state: open', 'state: blocked')
        .replace(
          'before anybody builds it\r\n',
          'before anybody builds it\r\n      blockedAt: "2026-03-01T00:00:00.000Z"\r\n',
        )
        .replace('maxConcurrentAgents: 2', 'maxConcurrentAgents: 4'),
    );
  });

  it('leaves older words where nothing changed', () => {
    const text = fixture('legacy');
    const file = fileIn(text);
    const [first, second] = file.roster as [TaskFile['roster'][0], TaskFile['roster'][0]];
    expect(patch(text, { state: 'created', roster: [first, { ...second, state: 'active' }] })).toBe(
      text.replace('state: gate.blocked', 'state: created').replace('state: dormant', 'state: active'),
    );
  });

  it.each<[string, string, Record<string, Json | undefined>, string]>([
    [
      'a text block',
      `${head}description: |\n  a\n  b\nx: 1 # c\n`,
      { description: 'z' },
      `${head}description: z\nx: 1 # c\n`,
    ],
    ['a missing key', `${head}config: {}\n`, { description: 'z' }, `${head}config: {}\ndescription: z\n`],
    [
      'no line end',
      head.trimEnd(),
      { description: 'z', state: 'failed' },
      `${head.replace('created', 'failed')}description: z`,
    ],
    [
      'an empty list',
      `${head}gates: [] # c\nroster: []\n`,
      { roster: [item('a')] },
      `${head}gates: [] # c\nroster:\n${lines('a')}`,
    ],
    [
      'an item at the end',
      `${head}roster:\n${lines('a')}# c\n`,
      { roster: [item('a'), item('b')] },
      `${head}roster:\n${lines('a')}${lines('b')}# c\n`,
    ],
    [
      'items in their own order',
      `${head}roster:\n${lines('b')}${lines('a')}`,
      { roster: [item('a'), item('b', 'failed')] },
      `${head}roster:\n${lines('b', 'failed')}${lines('a')}`,
    ],
    [
      'an item less',
      `${head}roster:\n${lines('a')}    x: 1\n${lines('b')}x: 1 # c\n`,
      { roster: [item('b')] },
      `${head}roster:\n${lines('b')}x: 1 # c\n`,
    ],
    [
      'an item in braces',
      `${head}roster:\n  - {instance: a, agent: q, x: 1}\n# c\n`,
      { roster: [item('a', 'failed')] },
      `${head}roster:\n  - instance: a\n    agent: q\n    x: 1\n    state: failed\n# c\n`,
    ],
    [
      'a file in braces',
      `# c\n{id: t1, title: T, topology: swarm, state: created, x: [1]}\n`,
      { state: 'failed' },
      `# c\n${head.replace('created', 'failed')}x:\n  - 1\n`,
    ],
    [
      'an anchor',
      `${head}x: &a {instance: a, agent: q}\nroster:\n  - *a\n`,
      { roster: [item('a', 'failed')] },
      `${head}x: &a {instance: a, agent: q}\nroster:\n  - instance: a\n    agent: q\n    state: failed\n`,
    ],
    [
      'an anchored value',
      `# c\n${head.replace('T', '&t T')}description: *t\n`,
      { title: 'U' },
      `# c\n${head.replace('T', 'U')}description: T\n`,
    ],
    ['what is taken out', `${head}roster: [] # c\nx: 1\n`, { roster: undefined }, `${head}x: 1\n`],
    [
      'a file that is wrong',
      head.replace('swarm', 'ring'),
      { state: 'failed' },
      head.replace('swarm', 'ring'),
    ],
    ['a file that is broken', `${head}x: "\n`, { state: 'failed' }, `${head}x: "\n`],
    ['a byte order mark', `\uFEFF${head}`, { state: 'failed' }, `\uFEFF${head.replace('created', 'failed')}`],
  ])('knows %s', (_what, text, changes, result) => {
    expect(patch(text, changes)).toBe(result);
  });

  const changes = fc.record(
    {
      title: fc.constantFrom('U', 'a: b #'),
      description: fc.constantFrom('', 'a\nb\n', '- x'),
      state: fc.constantFrom('working', 'failed'),
      milestones,
      roster,
      gates,
      config: fc.constant({ maxConcurrentAgents: 5, timeoutSeconds: 99, autoApprove: true }),
    },
    { requiredKeys: [], noNullPrototype: true },
  );

  it('gives what was asked for, whatever the file looks like', () => {
    const style = fc.record({
      lineWidth: fc.constantFrom(0, 20),
      indentSeq: fc.boolean(),
      defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'),
      flow: fc.constantFrom(false, false, true),
    } as const);
    fc.assert(
      fc.property(taskFile, style, changes, json, (file, { flow, ...options }, asked, theirs) => {
        const whole = { ...file, theirs, roster: file.roster.map((one) => ({ theirs, ...one })) };
        const text = flow
          ? JSON.stringify(whole)
          : stringify(whole, { ...options, aliasDuplicateObjects: false });
        fc.pre(wrongIn(text) === undefined); // the library folds a blank text to none
        const patched = patch(text, asked);
        expect(unordered(fileIn(patched))).toEqual(unordered({ ...fileIn(text), ...asked }));
        const after = parseYaml(patched) as { theirs: Json; roster: { instance: string; theirs?: Json }[] };
        expect(after.theirs).toEqual((parseYaml(text) as typeof after).theirs);
        const before = new Set(file.roster.map(({ instance }) => instance));
        const kept = after.roster.filter(({ instance }) => before.has(instance));
        for (const one of kept) expect(one.theirs).toEqual(after.theirs);
      }),
      runs(400),
    );
  });

  it.each(fixtures)('leaves the lines of other keys as they are: $name', ({ text }) => {
    const blocks = text.split(/(?=^(?:\w+:|#))/m);
    fc.assert(
      fc.property(changes, (asked) => {
        const patched = patch(text, asked);
        expect(unordered(fileIn(patched))).toEqual(unordered({ ...fileIn(text), ...asked }));
        const others = blocks.filter((block) => !Object.hasOwn(asked, block.split(':', 1)[0] ?? ''));
        for (const block of others) expect(patched).toContain(block);
      }),
      runs(100),
    );
  });
});

function item(instance: string, state = 'pending'): TaskFile['roster'][0] {
  return { instance, agent: 'q', state: state as 'pending', assignedMilestone: null, skills: [] };
}

function lines(instance: string, state = 'pending'): string {
  return `  - instance: ${instance}\n    agent: q\n    state: ${state}\n    assignedMilestone: null\n    skills: []\n`;
}
