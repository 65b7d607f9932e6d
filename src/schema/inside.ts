import { hints, type Hints, type Schema } from './schemas.ts';

/** A schema as an object of valibot, to look into. */
interface Parts {
  type: string;
  pipe?: readonly object[];
  wrapped?: Schema;
  options?: readonly unknown[];
  entries?: Readonly<Record<string, Schema>>;
  rest?: Schema;
  item?: Schema;
  items?: readonly Schema[];
  key?: Schema;
  value?: Schema;
  getter?: () => Schema;
}

const partsOf = (schema: Schema): Parts => schema;

/** What a schema may be, without what it is wrapped in: several of a union. */
export function choicesOf(schema: Schema): Schema[] {
  const { type, wrapped, options = [], getter } = partsOf(schema);
  if (wrapped) return choicesOf(wrapped);
  if (getter) return choicesOf(getter());
  if (type === 'picklist' || type === 'enum' || options.length === 0) return [schema];
  return (options as Schema[]).flatMap(choicesOf);
}

/** The keys that are known to an object. */
export function keysOf(schema: Schema): string[] {
  return [...new Set(choicesOf(schema).flatMap((choice) => Object.keys(partsOf(choice).entries ?? {})))];
}

/** The schemas that a value at a path may have. */
export function schemasAt(schema: Schema, path: readonly PropertyKey[]): Schema[] {
  let found = [schema];
  for (const key of path) found = found.flatMap(choicesOf).flatMap((choice) => inside(partsOf(choice), key));
  return found;
}

/** The schemas that the key at the end of a path may have, where somebody chose it. */
export function keySchemasAt(schema: Schema, path: readonly PropertyKey[]): Schema[] {
  return schemasAt(schema, path.slice(0, -1))
    .flatMap(choicesOf)
    .flatMap((choice) => partsOf(choice).key ?? []);
}

function inside({ entries, rest, item, items, value }: Parts, key: PropertyKey): Schema[] {
  const name = String(key);
  const child =
    entries && Object.hasOwn(entries, name) ? entries[name] : (items?.[Number(key)] ?? item ?? value ?? rest);
  return child ? [child] : [];
}

/** All that is in a pipe, also in the pipe that it begins with. */
export function pipeOf(schema: Schema): object[] {
  const { pipe, wrapped } = partsOf(schema);
  const own = (pipe ?? []).flatMap((part, at) => (at === 0 ? pipeOf(part as Schema) : [part]));
  return wrapped && !pipe ? pipeOf(wrapped) : own;
}

export function hintsOf(schema: Schema): Hints {
  const all = pipeOf(schema).filter((part) => 'reference' in part && part.reference === hints);
  return Object.assign({}, ...all) as Hints;
}

/** The schema and all that it is made of, each once. */
export function schemasBelow(schema: Schema, seen = new Set<Schema>()): ReadonlySet<Schema> {
  if (seen.has(schema)) return seen;
  seen.add(schema);
  const {
    type,
    pipe,
    wrapped,
    options = [],
    entries = {},
    rest,
    item,
    items = [],
    value,
    getter,
  } = partsOf(schema);
  const inner = type === 'picklist' ? [] : (options as Schema[]);
  const parts = [
    pipe?.[0] as Schema,
    wrapped,
    rest,
    item,
    value,
    getter?.(),
    ...inner,
    ...items,
    ...Object.values(entries),
  ];
  for (const part of parts) if (part) schemasBelow(part, seen);
  return seen;
}
