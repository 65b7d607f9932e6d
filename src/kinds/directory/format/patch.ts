import type { Entry } from '../../../layout/layout.ts';
import { check } from '../../../schema/check.ts';
import { read, type Reading } from '../../../schema/read.ts';
import { same } from '../../../schema/same.ts';
import { edited } from '../../../schema/yaml/edit.ts';
import { eolOf } from '../../../schema/yaml/lines.ts';
import { startOf } from '../../../schema/yaml/values.ts';
import type { Json } from '../../../task/json.ts';
import { editsTo } from './edits.ts';
import { merged } from './merge.ts';
import { written } from './render.ts';
import { taskFileSchema } from './task-file.ts';

/**
 * Sets keys of task.yaml and leaves every other byte: comments, quotes, order, line ends, the keys of others. The
 * result is read again; where it does not say what was asked for (anchors that other keys use), the file is written
 * anew, and only its comments inside are lost. A file that does not parse comes back as it is.
 */
export function patch({ text }: Entry, changes: Readonly<Record<string, Json | undefined>>): string {
  const found = read(text);
  if ('problem' in found) return text;
  const was = check(taskFileSchema, found.raw);
  if (!('value' in was)) return text;
  const goal = merged(found.raw, was.value, changes);
  const edits = editsTo(text, found.map, found.raw, goal);
  const patched = edits && edited(text, edits);
  const after = patched === undefined ? undefined : read(patched);
  if (patched !== undefined && after && 'raw' in after && same(after.raw, goal)) return patched;
  return leadOf(text, found) + written(goal, eolOf(text));
}

/** What stands above the first key. */
function leadOf(text: string, { map }: Reading): string {
  const lead = text.slice(0, startOf(map));
  return lead === '' || /(?:\n|^\uFEFF)$/.test(lead) ? lead : lead.trimEnd() + eolOf(text);
}
