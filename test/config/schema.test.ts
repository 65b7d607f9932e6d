import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { adapterNames } from '../../src/adapter/adapters.ts';
import { defaultConfig, mergeConfig, parseConfig } from '../../src/config.ts';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { configSchema } from '../../src/config/schema.ts';

const parse = (text: string) => parseConfig(text, 'config.yaml');

describe('the settings', () => {
  it('are published as they are checked (npm run schemas)', () => {
    const published = readFileSync(new URL('../../schemas/config.schema.json', import.meta.url), 'utf8');
    expect(JSON.parse(published)).toEqual(configJsonSchema());
  });

  it('have the defaults that stand without a file', () => {
    expect(configSchema.parse({})).toEqual(defaultConfig);
  });

  it('need few lines for an agent', async () => {
    const config = await parse(
      'agents: {fake: {adapter: command, command: [./agent.sh]}}\ndefaultAgent: fake\n',
    );
    expect(config).toEqual({
      agents: { fake: { adapter: 'command', command: ['./agent.sh'] } },
      defaultAgent: 'fake',
    });
  });

  it.each([
    ['durabilty: durable', '1:12: unknown key "durabilty"', 'did you mean "durability"?'],
    ['agents:\n  a:\n    adaptor: codex', '3:14: unknown key "agents.a.adaptor"', 'did you mean "adapter"?'],
    [
      'agents:\n  a:\n    adapter: codex\n    limits: {second: 3}',
      'unknown key "agents.a.limits.second"',
      'did you mean "seconds"?',
    ],
    [
      'prices:\n  m: {input: 1, output: 2, cache: 3}',
      'unknown key "prices.m.cache"',
      'did you mean "cached"?',
    ],
    ['agents:\n  a: {adapter: codx}', '2:16: agents.a.adapter', 'see docs/config.md'],
    ['agents: {a: {adapter: command, command: []}}', 'agents.a.command', 'see docs/config.md'],
    ['agents: {a: {adapter: codex, permission: all}}', 'agents.a.permission', 'see docs/config.md'],
    ['agents: {"../x": {adapter: codex}}', 'agents.../x', 'see docs/config.md'],
    ['agents: [', 'config.yaml:1', 'mend the YAML'],
  ])('refuse %j and say where', async (text, message, fix) => {
    await expect(parse(text)).rejects.toMatchObject({
      code: 'INVALID',
      fix: expect.stringContaining(fix) as string,
      message: expect.stringContaining(message) as string,
    });
  });

  it('of the project stand over those of the user, agent by agent', async () => {
    const user = await parse(
      'agents: {mine: {adapter: codex}, both: {adapter: codex, model: a}}\nlockWaitSeconds: 3\ndefaultAgent: mine',
    );
    const project = await parse('agents: {both: {adapter: claude}}\nprices: {m: {input: 1, output: 2}}');
    expect(mergeConfig(user, project)).toEqual({
      ...defaultConfig,
      lockWaitSeconds: 3,
      defaultAgent: 'mine',
      agents: { mine: { adapter: 'codex' }, both: { adapter: 'claude' } },
      prices: { m: { input: 1, output: 2 } },
    });
  });

  it('with aliases of aliases are refused with their place', async () => {
    const level = (n: number) =>
      `l${n}: &l${n} [${Array.from({ length: 9 }, () => `*l${n - 1}`).join(', ')}]`;
    const bomb = ['l0: &l0 [lol, lol]', ...Array.from({ length: 9 }, (_, n) => level(n + 1))].join('\n');
    await expect(parseConfig(bomb, 'config.yaml')).rejects.toMatchObject({
      code: 'INVALID',
      message: 'config.yaml:2:10: aliases stand for too many values',
    });
  });

  it('know every adapter', async () => {
    for (const adapter of adapterNames) {
      const config = await parse(`agents: {a: {adapter: ${adapter}}}`);
      expect(config.agents).toEqual({ a: { adapter } });
    }
  });
});
