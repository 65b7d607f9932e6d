import { describe, expect, it } from 'vitest';
import { examine } from '../../../../../src/kinds/directory/format/parse.ts';
import { fileIn, fixture, plain, wrongIn } from './support.ts';

const minimal = 'id: t1\ntitle: T\ntopology: swarm\nstate: created\n';

describe('parse', () => {
  it('Parse legacy state values', () => {
    expect(fileIn(fixture('legacy'))).toMatchObject({
      state: 'input-required',
      milestones: [{ state: 'working' }, { state: 'pending', dependsOn: ['m1'] }],
      roster: [{ state: 'pending' }, { state: 'dormant', assignedMilestone: null, skills: [] }],
    });
    expect(fileIn(fixture('legacy-cancelled')).state).toBe('canceled');
  });

  it('fills in what a file leaves out', () => {
    expect(fileIn(minimal)).toEqual({
      id: 't1',
      title: 'T',
      description: '',
      topology: 'swarm',
      state: 'created',
      createdAt: null,
      updatedAt: null,
      milestones: [],
      roster: [],
      gates: [],
      config: { maxConcurrentAgents: 3, timeoutSeconds: 3600, autoApprove: false },
    });
    expect(fileIn(`${minimal}config:\n  timeoutSeconds: 60\n`).config).toEqual({
      ...plain.config,
      timeoutSeconds: 60,
    });
    expect(fileIn(`${minimal}config:\nroster: ~\ndescription:\n`)).toEqual(plain);
  });

  it('reads a file by hand, and leaves out what is not of the format', () => {
    const file = fileIn(fixture('by-hand'));
    expect(file).not.toHaveProperty('owner');
    expect(file).toMatchObject({
      createdAt: '2026-02-01T10:00:00+09:00',
      milestones: [{ id: 'plan' }, { id: 'build', state: 'pending', dependsOn: ['plan'] }],
      roster: [{ instance: 'be1', skills: ['sql', 'c++'], state: 'pending' }],
      gates: [{ reason: 'Read the plan before anybody builds it', blockedAt: null }],
      config: { maxConcurrentAgents: 2, timeoutSeconds: 3600 },
    });
    expect(file.roster[0]).not.toHaveProperty('room');
  });

  it('takes times for text, and keeps their nanoseconds', () => {
    expect(fileIn(fixture('fresh')).createdAt).toBe('2026-01-15T09:30:00.123456789Z');
  });

  it.each<[string, string, number, number]>([
    ['id is required', minimal.replace('id: t1\n', ''), 1, 1],
    ['id "../x" is no name', minimal.replace('t1', '../x'), 1, 5],
    ['id "__proto__" is no name', minimal.replace('t1', '__proto__'), 1, 5],
    ['title is empty', minimal.replace('title: T', 'title: ""'), 2, 8],
    ['title must be a text', minimal.replace('title: T', 'title: 12'), 2, 8],
    ['topology "ring" is not one of swarm, squad', minimal.replace('swarm', 'ring'), 3, 11],
    [
      'state "done" is not one of created, working, input-required, completed, failed, canceled',
      minimal.replace('created', 'done'),
      4,
      8,
    ],
    ['createdAt is no time', `${minimal}createdAt: yesterday\n`, 5, 12],
    ['updatedAt is no time', `${minimal}updatedAt: 2026-02-30T00:00:00Z\n`, 5, 12],
    ['roster must be a list', `${minimal}roster: 3\n`, 5, 9],
    ['roster[0] must be keys with values', `${minimal}roster:\n  - x\n`, 6, 5],
    [
      'roster[1].instance "a b" is no name',
      `${minimal}roster: [{instance: a, agent: b}, {instance: a b, agent: b}]\n`,
      5,
      46,
    ],
    [
      'roster[1].instance is there twice',
      `${minimal}roster: [{instance: a, agent: b}, {instance: a, agent: b}]\n`,
      5,
      46,
    ],
    [
      'roster[0].skills[1] must be a text',
      `${minimal}roster: [{instance: a, agent: b, skills: [x, 1]}]\n`,
      5,
      46,
    ],
    ['gates[0].type is required', `${minimal}gates:\n  - id: g\n    state: open\n`, 6, 5],
    ['config must be keys with values', `${minimal}config: []\n`, 5, 9],
    [
      'config.maxConcurrentAgents must be a whole number from 1 to 10',
      `${minimal}config:\n  maxConcurrentAgents: 11\n`,
      6,
      24,
    ],
    [
      'config.timeoutSeconds must be a whole number of at least 60',
      `${minimal}config: {timeoutSeconds: 59.5}\n`,
      5,
      26,
    ],
    ['config.autoApprove must be true or false', `${minimal}config: {autoApprove: yes}\n`, 5, 23],
  ])('says that %s, and where', (message, text, line, column) => {
    expect(wrongIn(text)).toMatchObject({ message, line, column });
  });

  it('finds all that is wrong at once', () => {
    const { wrongs } = examine('id: a b\ntopology: ring\nstate: created\nroster: [1]\n');
    expect(wrongs.map(({ line }) => line)).toEqual([1, 1, 2, 4]);
    expect(wrongIn('id: a b\ntopology: ring\nstate: created\n')?.message).toMatch(/\(and 2 more\)$/);
    for (const { fix } of wrongs) expect(fix).not.toBe('');
    expect(wrongIn('# nothing\n')?.message).toMatch(/^id is required/);
  });

  it.each<[string, string, number]>([
    ['a list', '- id: t1\n', 1],
    ['a word', 'hello\n', 1],
    ['broken', 'id: t1\ntitle: "T\n', 2],
    ['two documents', `${minimal}---\n${minimal}`, 5],
    ['a key twice', `${minimal}id: t2\n`, 5],
    ['a prototype', `${minimal}__proto__: {x: 1}\n`, 1],
    ['an unknown alias', `${minimal}config: *x\n`, 5],
    ['endless aliases', `${bomb()}${minimal}`, 1],
    ['endless depth', `${minimal}x: ${'['.repeat(100_000)}\n`, 5],
  ])('is not led astray by %s', (_what, text, line) => {
    const wrong = wrongIn(text);
    expect(wrong?.line).toBeGreaterThanOrEqual(line);
    expect(wrong?.fix).toContain('docket changes nothing in this file until then');
  });
});

function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let n = 1; n < 10; n++) lines.push(`a${n}: &a${n} [${`*a${n - 1}, `.repeat(10)}]`);
  return `${lines.join('\n')}\n`;
}
