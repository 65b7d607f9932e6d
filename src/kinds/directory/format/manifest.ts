import type { Document } from 'yaml';
import { outsideBecause } from '../../../schema/schemas.ts';
import { position } from '../../../schema/yaml/lines.ts';
import { Odd, jsonOf, readDocument, startOf } from '../../../schema/yaml/yaml.ts';
import type { Json } from '../../../task/json.ts';

interface Attachment {
  id: string;
  kind: 'file' | 'snippet';
  /** From the root. */
  path: string;
  /** The first and the last line, as in `10:20`. */
  range?: string;
  reason?: string;
}
/** What is wrong with the whole file, or with one entry of it: the others count. */
interface ManifestProblem {
  problem: string;
  line: number;
}
interface Manifest {
  attachments: Attachment[];
  problems: ManifestProblem[];
}

const maxNodes = 20_000;

/** `shared/context-manifest.yaml`. A file that is empty, or holds comments alone, attaches nothing. Never throws. */
export function parseManifest(text: string): Manifest {
  const found = readDocument(text);
  const bad = 'doc' in found ? found.bad : found;
  const wrong = (problem: string, at: number) => ({ problem, line: position(text, at).line });
  const none = (...problems: ManifestProblem[]): Manifest => ({ attachments: [], problems });
  if (bad || !('doc' in found)) {
    return text.trim() === '' ? none() : none(wrong(bad?.message ?? 'No document.', bad?.offset ?? 0));
  }
  const { doc } = found;
  try {
    return attachmentsIn(doc, wrong);
  } catch (error) {
    if (error instanceof Odd) return none(wrong(error.message, error.offset));
    throw error;
  }
}

function attachmentsIn(doc: Document, wrong: (problem: string, at: number) => ManifestProblem): Manifest {
  const root = jsonOf(doc, doc.contents, maxNodes);
  const none = (...problems: ManifestProblem[]): Manifest => ({ attachments: [], problems });
  if (root === null) return none();
  if (typeof root !== 'object' || Array.isArray(root))
    return none(wrong('expected "attachments:" and a list', 0));
  const list = root['attachments'] ?? [];
  const at = (path: unknown[]) => startOf(doc.getIn(path, true));
  if (!Array.isArray(list)) return none(wrong('attachments must be a list', at(['attachments'])));
  const found = none();
  for (const [index, item] of list.entries()) {
    const checked = attachment(item);
    if (!('problem' in checked)) found.attachments.push(checked);
    else found.problems.push(wrong(`attachments[${index}] ${checked.problem}`, at(['attachments', index])));
  }
  return found;
}

function attachment(item: Json): Attachment | { problem: string } {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return { problem: 'must have id, kind and path' };
  }
  const { id, kind, path, range = null, reason = null } = item;
  if (typeof id !== 'string' || id === '') return { problem: 'has no id: give it a name' };
  if (kind !== 'file' && kind !== 'snippet') return { problem: 'has no kind: write file or snippet' };
  if (typeof path !== 'string' || path === '') return { problem: 'has no path: name a file from the root' };
  const outside = outsideBecause(path);
  if (outside !== undefined) return { problem: `has a path that ${outside}: name a file inside the root` };
  if (reason !== null && typeof reason !== 'string') return { problem: 'has a reason that is no text' };
  if (range !== null && !isRange(range)) {
    return { problem: 'has no good range: write the first and the last line, as in "10:20"' };
  }
  return { id, kind, path, ...(range !== null && { range }), ...(reason !== null && { reason }) };
}

function isRange(range: Json): range is string {
  const match = typeof range === 'string' ? /^([1-9]\d{0,8}):([1-9]\d{0,8})$/.exec(range) : null;
  return Number(match?.[1]) <= Number(match?.[2]);
}
