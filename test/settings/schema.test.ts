import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { adapterNames } from '../../src/adapters/adapters.ts';
import { defaultConfig, mergeConfig, parseConfig } from '../../src/settings/config.ts';
import { configJsonSchema } from '../../src/settings/json-schema.ts';
import { configSchema } from '../../src/settings/schema.ts';

const parse = (text: string) => parseConfig(text, 'config.yaml');

describe('the settings', () => {
  it('are published as they are checked (npm run schemas)', () => {
    const published = readFileSync(new URL('../../schemas/config.schema.json', import.meta.url), 'utf8');
    expect(JSON.parse(published)).toEqual(configJsonSchema());
  });

  it('have the defaults that stand without a file', () => {
    expect(v.parse(configSchema, {})).toEqual(defaultConfig);
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
    ['durabilty: durable', '1:1: unknown key "durabilty"', 'did you mean "durability"?'],
    ['agents:\n  a:\n    adaptor: codex', '3:5: unknown key "agents.a.adaptor"', 'did you mean "adapter"?'],
    [
      'agents:\n  a:\n    adapter: codex\n    limits: {second: 3}',
      '4:14: unknown key "agents.a.limits.second"',
      'did you mean "seconds"?',
    ],
    [
      'prices:\n  m: {input: 1, output: 2, cache: 3}',
      '2:28: unknown key "prices.m.cache"',
      'did you mean "cached"?',
    ],
    ['roles: {tester: {agnet: codex}}', '1:18: unknown key "roles.tester.agnet"', 'did you mean "agent"?'],
    ['colour: red', '1:1: unknown key "colour"', 'allowed here: durability, lockWaitSeconds, '],
    [
      'agents:\n  a: {adapter: codx}',
      '2:16: agents.a.adapter "codx" is not one of codex, claude,',
      'write one of codex, claude,',
    ],
    ['agents:\n  a: {model: x}', '2:6: agents.a.adapter is required', 'write one of codex, claude,'],
    ['agents:\n  a:', '2:5: agents.a is required', 'write keys, each with its value'],
    ['agents: [codex]', '1:9: agents must be keys with values', 'write keys, each with its value'],
    ['agents: {a: {adapter: command, command: []}}', 'agents.a.command is empty', 'write a list'],
    [
      'agents: {a: {adapter: codex, permission: all}}',
      'agents.a.permission "all" is not one of read, edit, full',
      'write one of read, edit, full',
    ],
    ['agents: {"../x": {adapter: codex}}', '1:10: "../x" cannot be a key here', 'use letters, digits,'],
    [
      'agents: {constructor: {adapter: codex}}',
      '1:10: "constructor" cannot be a key here',
      'use letters, digits,',
    ],
    ['lockWaitSeconds: 4000', 'lockWaitSeconds must be a number from 0 to 3600', 'write a number from 0 to'],
    ['concurrency: 1.5', 'concurrency must be a whole number from 1 to 64', 'write a whole number from 1 to'],
    ['workflow: 12', 'workflow must be a text', 'put it in quotes: "12".'],
    [
      'setup: {portRange: [3000, 2000]}',
      'setup.portRange ends before it begins',
      'write the lower end first',
    ],
    ['notify: {webhook: ftp://a}', 'notify.webhook "ftp://a" is not allowed', 'write an address that'],
    ['agents: [', 'config.yaml:1', 'fix line 1'],
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
      message: 'config.yaml:2:10: Aliases stand for too many values. Write them out.',
    });
  });

  it('say nothing where a key has no value', async () => {
    expect(await parse('workflow:\nbudgets: {day:}\n')).toEqual({ budgets: {} });
    expect(await parse('# nothing yet\n')).toEqual({});
  });

  it('know every adapter', async () => {
    for (const adapter of adapterNames) {
      const config = await parse(`agents: {a: {adapter: ${adapter}}}`);
      expect(config.agents).toEqual({ a: { adapter } });
    }
  });
});
