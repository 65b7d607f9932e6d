import { record, type Json } from './request.ts';

/** What every version of the vendor's strict mode takes; some took more, and refuse the rest by its name. */
const permitted = new Set(
  'type enum const title description properties required additionalProperties items anyOf $ref $defs'.split(
    ' ',
  ),
);

/** The error of a vendor that cannot hold an answer to this schema; undefined: it can. */
export function strictFault(schema: unknown): Json | undefined {
  const root = record(schema);
  const fault = root['type'] === 'object' ? faultIn(root, []) : "schema must have type 'object'.";
  if (fault === undefined) return undefined;
  const message = `Invalid schema for response_format: ${fault}`;
  return {
    error: { message, type: 'invalid_request_error', code: 'invalid_json_schema', param: 'text.format' },
  };
}

function faultIn(schema: Json, path: readonly string[]): string | undefined {
  const own = ownFault(schema);
  if (own !== undefined) return `In context=(${path.join(', ')}), ${own}`;
  for (const [place, child] of childrenOf(schema)) {
    const fault = faultIn(child, [...path, ...place]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function ownFault(schema: Json): string | undefined {
  const unknown = Object.keys(schema).find((key) => !permitted.has(key));
  if (unknown !== undefined) return `'${unknown}' is not permitted.`;
  if (!['type', 'anyOf', '$ref'].some((key) => key in schema)) return "schema must have a 'type' key.";
  if (![schema['type']].flat().includes('object')) return undefined;
  if (schema['additionalProperties'] !== false)
    return "'additionalProperties' is required to be supplied and to be false.";
  const required = new Set([schema['required']].flat());
  const missing = Object.keys(record(schema['properties'])).find((key) => !required.has(key));
  return missing && `'required' must include every key in properties. Missing '${missing}'.`;
}

function childrenOf(schema: Json): [place: string[], child: Json][] {
  const grouped = ['properties', '$defs', 'anyOf'].flatMap((group) =>
    Object.entries(record(schema[group])).map(([key, child]) => ({ place: [group, key], child })),
  );
  const items = 'items' in schema ? [{ place: ['items'], child: schema['items'] }] : [];
  return [...grouped, ...items].map(({ place, child }) => [place, record(child)]);
}
