import { code, page, plain, table } from './markdown.mjs';

/** Every key of the settings: what it may be, what holds without it, what it is for. */
export function configPage({ schema, comments }) {
  const rows = [...rowsOf(schema, [], [])];
  return page(
    'Settings, key by key',
    'src/config/*schema.ts',
    'Every key of `.docket/config.yaml`. The guide with examples is [config.md](../config.md). A name of your own stands for `<name>`. For editors:',
    code('# yaml-language-server: $schema=<docket>/schemas/config.schema.json', 'yaml'),
    table(
      ['key', 'value', 'default', 'meaning'],
      rows.map(({ path, commentPath, type, standard }) => [
        `\`${path.join('.')}\``,
        type,
        standard === undefined ? '' : `\`${JSON.stringify(standard)}\``,
        plain(comments.get(commentPath.join('.')) ?? ''),
      ]),
    ),
  );
}

function* rowsOf(schema, path, commentPath) {
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    const [own, said] = [
      [...path, key],
      [...commentPath, key],
    ];
    yield { path: own, commentPath: said, type: typeOf(value), standard: value.default };
    yield* below(value, own, said);
  }
}

function* below(value, path, commentPath) {
  for (const one of [value, ...(value.anyOf ?? [])]) {
    yield* rowsOf(one, path, commentPath);
    const { additionalProperties, items } = one;
    if (typeof additionalProperties === 'object')
      yield* below(additionalProperties, [...path, '<name>'], commentPath);
    if (typeof items === 'object' && !Array.isArray(items)) yield* below(items, [...path, '[]'], commentPath);
  }
}

function typeOf(value) {
  if (value.enum) return value.enum.map((word) => `\`${word}\``).join(', ');
  if (value.const !== undefined) return `\`${value.const}\``;
  if (value.anyOf) return [...new Set(value.anyOf.map(typeOf))].join(' or ');
  if (value.type === 'array') {
    if (value.prefixItems) return `[${value.prefixItems.map(typeOf).join(', ')}]`;
    return `list of ${typeOf(value.items ?? {})}`;
  }
  if (value.type === 'object') return value.properties ? 'mapping' : 'mapping by name';
  if (value.type === 'integer' || value.type === 'number') return numberOf(value);
  return value.type === 'boolean' ? '`true`, `false`' : 'text';
}

const safe = Number.MAX_SAFE_INTEGER;

function numberOf({ type, minimum, maximum, exclusiveMinimum }) {
  const word = type === 'integer' ? 'whole number' : 'number';
  const least = exclusiveMinimum === undefined ? minimum : undefined;
  const ends = [
    exclusiveMinimum === undefined ? '' : `over ${exclusiveMinimum}`,
    least === undefined || least <= -safe ? '' : `${least} or more`,
    maximum === undefined || maximum >= safe ? '' : `${maximum} or less`,
  ].filter((end) => end !== '');
  return ends.length === 0 ? word : `${word}, ${ends.join(', ')}`;
}
