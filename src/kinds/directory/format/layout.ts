import type { Entry, MirrorLayout, Sheet } from '../../../layout/layout.ts';
import { join, onlyRef, split } from '../../../layout/split.ts';
import { check } from '../../../schema/check.ts';
import { same } from '../../../schema/json.ts';
import { read, type Reading } from '../../../schema/read.ts';
import { pair } from '../../../schema/yaml/block.ts';
import { edited } from '../../../schema/yaml/edit.ts';
import { eolOf } from '../../../schema/yaml/lines.ts';
import { startOf } from '../../../schema/yaml/yaml.ts';
import type { Fields, Json } from '../../../task/json.ts';
import { adopt } from './adopt.ts';
import { derived } from './derived.ts';
import { describe } from './describe.ts';
import { editsTo, merged } from './edits.ts';
import { log } from './log.ts';
import { companions } from './new-task.ts';
import { parse } from './parse.ts';
import { revise } from './revise.ts';
import { taskFileSchema } from './task-file.ts';

/** A task directory: one task with many agents, in files that people and other tools read and write. */
export const agentmeshLayout: MirrorLayout = {
  name: 'agentmesh',
  mirror: 'task.yaml',
  stateKeys: ['state'],
  split,
  join,
  parse,
  ref: () => onlyRef,
  describe,
  render,
  patch,
  adopt,
  revise,
  companions,
  derived,
  log,
};

/**
 * Sets keys of task.yaml and leaves every other byte: comments, quotes, order, line ends, the keys of others. The
 * result is read again; where it does not say what was asked for (anchors that other keys use), the file is written
 * anew, and only its comments inside are lost. A file that does not parse comes back as it is.
 */
function patch({ text }: Entry, changes: Readonly<Record<string, Json | undefined>>): string {
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

/** A new file. */
function render(fields: Fields, sheet: Sheet): string {
  return written(fields, eolOf(sheet.head, sheet.tail));
}

function written(fields: Fields, eol: string): string {
  const lines = Object.entries(fields).flatMap(
    ([key, value]) => textBlock(key, value) ?? pair(key, value, 0),
  );
  return lines.map((line) => line + eol).join('');
}

/** Lines that people can read as they are, where YAML gives them back as they are. */
function textBlock(key: string, value: Json): string[] | undefined {
  if (typeof value !== 'string' || !/^\w+$/.test(key) || !/^[!-~][\t -~\p{L}\p{M}\p{N}\n]*$/u.test(value))
    return undefined;
  const lines = value.replace(/\n$/, '').split('\n');
  if (lines.length === 1 || lines.at(-1) === '' || lines.some((line) => /[\t ]$/.test(line)))
    return undefined;
  const mark = value.endsWith('\n') ? '|' : '|-';
  return [`${key}: ${mark}`, ...lines.map((line) => (line === '' ? '' : `  ${line}`))];
}
