import type { Wrong } from '../schema/problem.ts';
import { position } from '../schema/yaml/lines.ts';
import { Odd, jsonOf, readDocument, startOf, yaml } from '../schema/yaml/yaml.ts';
import type { Json } from '../task/json.ts';

/** A small file of settings that another tool's users wrote: its values, and where each of them stands. */
export interface SettingsFile {
  value: Json;
  at(...path: readonly (string | number)[]): { line: number; column: number };
}

const maxNodes = 20_000;

/** Never throws: what cannot be read is said. */
export function readSettings(text: string): SettingsFile | Wrong {
  const found = readDocument(text);
  const bad = 'doc' in found ? found.bad : found;
  if (bad || !('doc' in found)) return wrong(text, bad?.message ?? '', bad?.offset ?? 0);
  const { doc } = found;
  try {
    const value = jsonOf(doc, doc.contents, maxNodes);
    return { value, at: (...path) => position(text, offsetOf(doc.contents, path)) };
  } catch (error) {
    if (error instanceof Odd) return wrong(text, error.message, error.offset);
    throw error;
  }
}

/** Of the last part of the path that is there: of a key, where it is a key. */
function offsetOf(root: unknown, path: readonly (string | number)[]): number {
  const { isMap, isScalar, isSeq } = yaml();
  let [node, offset] = [root, startOf(root)];
  for (const part of path) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      : undefined;
    const next = isSeq(node) ? node.items[Number(part)] : pair?.value;
    if (next === undefined) return offset;
    offset = startOf(pair ? pair.key : next);
    node = next;
  }
  return offset;
}

function wrong(text: string, message: string, offset: number): Wrong {
  return { message, fix: 'Mend the file; docket goes on without it.', ...position(text, offset) };
}
