import { code, page, plain, table } from './markdown.mjs';

/** Every key of the settings: what it may be, what holds without it, what it is for. */
export function configPage(schema) {
  const rows = [...rowsOf(schema, [])];
  return page(
    'Settings, key by key',
    'src/settings/*schema.ts',
    'Every key of `.docket/config.yaml`. The guide with examples is [config.md](../config.md). A name of your own stands for `<name>`. For editors:',
    code('# yaml-language-server: $schema=<docket>/schemas/config.schema.json', 'yaml'),
    table(
      ['key', 'value', 'default', 'meaning'],
      rows.map(({ path, value }) => [
        `\`${path.join('.')}\``,
        typeOf(value),
        value.default === undefined ? '' : `\`${JSON.stringify(value.default)}\``,
        plain(value.description ?? ''),
      ]),
    ),
  );
}

function* rowsOf(schema, path) {
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    const own = [...path, key];
    yield { path: own, value };
    yield* below(value, own);
  }
}

function* below(value, path) {
  for (const one of [value, ...(value.anyOf ?? [])]) {
    yield* rowsOf(one, path);
    const { additionalProperties, items } = one;
    if (typeof additionalProperties === 'object') yield* below(additionalProperties, [...path, '<name>']);
    if (typeof items === 'object' && !Array.isArray(items)) yield* below(items, [...path, '[]']);
  }
}

function typeOf(value) {
  if (value.enum) return value.enum.map((word) => `\`${word}\``).join(', ');
  if (value.const !== undefined) return `\`${value.const}\``;
  if (value.anyOf) return [...new Set(value.anyOf.map(typeOf))].join(' or ');
  if (value.type === 'array') {
    if (Array.isArray(value.items)) return `[${value.items.map(typeOf).join(', ')}]`;
    return `list of ${typeOf(value.items ?? {})}`;
  }
  if (value.type === 'object') return value.properties ? 'mapping' : 'mapping by name';
  if (value.type === 'integer' || value.type === 'number') return numberOf(value);
  return value.type === 'boolean' ? '`true`, `false`' : 'text';
}

function numberOf({ type, minimum, maximum, exclusiveMinimum }) {
  const word = type === 'integer' ? 'whole number' : 'number';
  const ends = [
    exclusiveMinimum === undefined ? '' : `over ${exclusiveMinimum}`,
    minimum === undefined ? '' : `${minimum} or more`,
    maximum === undefined ? '' : `${maximum} or less`,
  ].filter((end) => end !== '');
  return ends.length === 0 ? word : `${word}, ${ends.join(', ')}`;
}
