import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { JsonFile, JsonRead } from '../../../../src/kinds/board/format/json-file.ts';
import { boardJsonSchemas } from '../../../../src/kinds/board/format/json-schemas.ts';
import { readPolicy } from '../../../../src/kinds/board/format/policy-file.ts';
import { readProtocol } from '../../../../src/kinds/board/format/protocol.ts';

const published = (name: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(new URL(`../../../../schemas/${name}.schema.json`, import.meta.url), 'utf8'),
  ) as never;
const shipped = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../configs/board/${name}.json`, import.meta.url), 'utf8'));

/** The documents of which one of the two does not say what it should. */
function misjudged(
  name: string,
  read: (file: JsonFile) => JsonRead<unknown>,
  documents: [boolean, unknown][],
): unknown[] {
  const validate = new Ajv({ allowUnionTypes: true }).compile(published(name));
  const isRead = (document: unknown): boolean => {
    try {
      return read({ file: name, text: JSON.stringify(document) }).unknown.length === 0;
    } catch {
      return false;
    }
  };
  return documents
    .map(([good, document]) => ({
      document,
      good,
      published: validate(document),
      reader: isRead(document),
    }))
    .filter(({ good, published: byFile, reader }) => byFile !== good || reader !== good);
}

it.each(Object.entries(boardJsonSchemas()))('%s is as it is checked (npm run schemas)', (name, schema) => {
  expect(published(name.replace('.schema.json', ''))).toEqual(JSON.parse(JSON.stringify(schema)));
});

describe('of what is good and bad the reader and the published schema say the same', () => {
  it('acceptance-policy', () => {
    const documents: [boolean, unknown][] = [
      [true, shipped('acceptance-policy')],
      [true, {}],
      [true, { $schema: 'x', global: null, roles: null }],
      [true, { global: { requireEvidence: false }, roles: { ou_1: { requireAny: [] }, coder: null } }],
      [true, { roles: { coder: { verifyCommands: ['npm test'], requiredEvidence: ['url', 'log'] } } }],
      [false, []],
      [false, 'x'],
      [false, { role: {} }],
      [false, { global: { requireEvidence: 'yes' } }],
      [false, { global: { more: 1 } }],
      [false, { roles: [] }],
      [false, { roles: { coder: [] } }],
      [false, { roles: { coder: { requireAll: ['x'] } } }],
      [false, { roles: { coder: { requireAny: 'test' } } }],
      [false, { roles: { coder: { requireAny: [' '] } } }],
      [false, { roles: { coder: { requireAny: [1] } } }],
      [false, { roles: { coder: { requiredEvidence: ['photo'] } } }],
      [false, { roles: { ' ': {} } }],
    ];
    expect(misjudged('acceptance-policy', readPolicy, documents)).toEqual([]);
  });

  it('protocol-config', () => {
    const documents: [boolean, unknown][] = [
      [true, shipped('protocol-config')],
      [true, {}],
      [true, { version: 1, intents: ['run', 'status'], projectId: 'p', agents: ['coder'] }],
      [true, { routing: { directOverridePrefix: '#' }, channel: { provider: 'webhook', groupId: 'oc_1' } }],
      [true, { protocol: { messageTypes: ['[TASK]'], allowDirectAgentOverride: false } }],
      [false, { version: 2 }],
      [false, { messageTypes: ['[REOPEN]'] }],
      [false, { intents: ['fly'] }],
      [false, { routing: { directOverridePrefix: 'a' } }],
      [false, { routing: { directOverridePrefix: '@@' } }],
      [false, { orchestrator: { maxConcurrentSpawns: 0 } }],
      [false, { orchestrator: { maxConcurrentSpawns: 1.5 } }],
      [false, { orchestrator: { maxConcurrentSpawns: 101 } }],
      [false, { channel: { milestoneOnly: 1 } }],
      [false, { channel: { provider: 'mail' } }],
      [false, { agents: 'coder' }],
      [false, { more: 1 }],
    ];
    expect(misjudged('protocol-config', readProtocol, documents)).toEqual([]);
  });
});
