import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { packetJsonSchemas } from '../../../../src/kinds/packet/format/json-schemas.ts';
import { readManifest } from '../../../../src/kinds/packet/format/manifest.ts';
import { yaml } from '../../../../src/schema/yaml/yaml.ts';
import { minimal } from './support.ts';

const good = yaml().parse(minimal) as Record<string, Record<string, unknown>>;

/** The manifest with something else at a path. */
function but(path: string, value: unknown): unknown {
  const copy = structuredClone(good);
  const keys = path.split('.');
  const last = keys.pop() as string;
  let place: Record<string, unknown> = copy;
  for (const key of keys) place = (place[key] ??= {}) as Record<string, unknown>;
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy;
}

const documents: [boolean, unknown][] = [
  [true, good],
  [true, but('routing.model', { codex: 'x', gemini: null })],
  [true, but('routing.pipeline', { profile: 'p', flags: { enable_brief: false }, options: null })],
  [
    true,
    but('routing.pipeline.options', { impl_mode: 'safe', review_mode: 'cross', timeout_mode: 'enforce' }),
  ],
  [true, but('task_id', 20260101)],
  [true, but('context.digest_policy', false)],
  [true, but('scope.allow', [])],
  [true, but('budgets.cost_usd', 1.5)],
  [true, but('budgets.tokens', null)],
  [true, but('security', null)],
  [true, but('security', { redaction_patterns: ['a+'], forbidden_paths: ['.env'] })],
  [true, but('retention', 'keep')],
  [true, but('security_review_mode', ['anything'])],
  ...Object.keys(good).map((key): [boolean, unknown] => [false, but(key, undefined)]),
  [false, but('routing.intent', undefined)],
  ...['allow', 'deny'].map((key): [boolean, unknown] => [false, but(`scope.${key}`, undefined)]),
  ...['commands', 'criteria'].map((key): [boolean, unknown] => [false, but(`acceptance.${key}`, null)]),
  ...Object.keys(good['budgets'] ?? {}).map((key): [boolean, unknown] => [false, but(`budgets.${key}`, 1.5)]),
  [false, but('more', 1)],
  [false, but('routing.more', 1)],
  [false, but('routing.model.claude', 'x')],
  [false, but('routing.pipeline.flags.enable_all', true)],
  [false, but('routing.pipeline.flags.enable_brief', 'yes')],
  [false, but('routing.pipeline.options.impl_mode', 'cross')],
  [false, but('task_id', '../x')],
  [false, but('task_id', -1)],
  [false, but('task_id', 1.5)],
  [false, but('context.digest_policy', true)],
  [false, but('task_id', 'x'.repeat(129))],
  [false, but('goal', '')],
  [false, but('scope.allow', 'src')],
  [false, but('scope.allow', [''])],
  [false, but('acceptance.commands', [1])],
  [false, but('budgets.retry_budget', -1)],
  [false, but('budgets.cost_usd', -1)],
  [false, but('context.digest_policy', 'on')],
  [false, but('security.redaction_patterns', 'a')],
  [false, but('retention', 'forever')],
];

/** A schema of JSON has no words for these. */
const beyond: unknown[] = [
  but('task_id', 'a..b'),
  but('goal', ' '),
  but('routing.intent', 'constructor'),
  but('scope.allow', ['/etc']),
  but('scope.deny', ['a/../..']),
  but('acceptance.commands', ['a\0']),
  but('security.redaction_patterns', ['(']),
  but('security.forbidden_paths', ['../x']),
];

const published = JSON.parse(
  readFileSync(new URL('../../../../schemas/packet-manifest.schema.json', import.meta.url), 'utf8'),
) as object;
const validate = new Ajv({ allowUnionTypes: true }).compile(published);

const verdicts = (document: unknown) => ({
  reader: 'manifest' in readManifest(JSON.stringify(document)),
  published: validate(document),
});
/** The documents of which somebody does not say what they should. */
const misjudged = (cases: [unknown, ReturnType<typeof verdicts>][]) =>
  cases.flatMap(([document, right]) => {
    const found = verdicts(document);
    return isDeepStrictEqual(found, right) ? [] : [{ document, found }];
  });

it('the published schema is as it is checked (npm run schemas)', () => {
  expect({ 'packet-manifest.schema.json': published }).toEqual(
    JSON.parse(JSON.stringify(packetJsonSchemas())),
  );
});

it('of what is good and bad the reader and the published schema say the same', () => {
  const cases = documents.map(([good, document]): [unknown, ReturnType<typeof verdicts>] => [
    document,
    { reader: good, published: good },
  ]);
  expect(misjudged(cases)).toEqual([]);
});

it('what a schema cannot say, the reader does', () => {
  const right = { reader: false, published: true };
  expect(misjudged(beyond.map((document) => [document, right]))).toEqual([]);
});
