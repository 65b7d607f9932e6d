import type { Entry } from '../../../layout/layout.ts';
import { same } from '../../../schema/json.ts';
import type { Wrong } from '../../../schema/problem.ts';
import { flowEdit, flowText, item } from '../../../schema/yaml/block.ts';
import { type Edit, edited, inserted, replaced, slotsOf, without } from '../../../schema/yaml/edit.ts';
import { eolOf } from '../../../schema/yaml/lines.ts';
import { jsonOf, yaml } from '../../../schema/yaml/yaml.ts';
import type { Fields, Json } from '../../../task/json.ts';
import { rankOf } from './fields.ts';
import { indentOf, isFlow, itemStart } from './join.ts';
import { Links, read, type Reading } from './read.ts';

/**
 * Sets keys of an entry (undefined takes one out) and leaves every other byte: comments, quotes, order, line ends.
 * The result is read again; where splicing does not give what was asked for (anchors that other keys use, say), the item
 * is written anew and its lead comments stay. An entry that does not parse comes back as it is.
 */
export function patch(entry: Entry, changes: Readonly<Record<string, Json | undefined>>): string | Wrong {
  const before = read(entry);
  if (!('fields' in before)) return entry.text;
  let { text } = entry;
  const wanted: Record<string, Json> = { ...before.fields };
  for (const [key, value] of Object.entries(changes)) {
    if (same(Object.hasOwn(wanted, key) ? wanted[key] : undefined, value)) continue;
    if (value === undefined) delete wanted[key];
    else wanted[key] = value;
    text = spliced({ ...entry, text }, key, value, wanted) ?? rewritten(text, wanted);
  }
  return lendsStill(entry, text) ?? text;
}

function spliced(entry: Entry, key: string, value: Json | undefined, wanted: Fields): string | undefined {
  const found = read(entry);
  if (!('fields' in found)) return undefined;
  const edit = isFlow(entry) ? inFlow(found, key, value) : inBlock(entry.text, found, key, value);
  if (edit === 'unknown') return undefined;
  const text = edit ? edited(entry.text, [edit]) : entry.text;
  const after = read({ ...entry, text });
  return 'fields' in after && same(after.fields, wanted) ? text : undefined;
}

function inFlow({ map, shift }: Reading, key: string, value: Json | undefined): Edit | 'unknown' {
  const edit = flowEdit(map, key, value);
  return edit ? { from: edit.from - shift, to: edit.to - shift, text: edit.text } : 'unknown';
}

function inBlock(
  text: string,
  { map }: Reading,
  key: string,
  value: Json | undefined,
): Edit | undefined | 'unknown' {
  const slots = slotsOf(map, text);
  if (!slots) return 'unknown';
  const index = slots.findIndex((slot) => slot.key === key);
  const slot = slots[index];
  if (value === undefined) return slot && without(text, slots, index);
  return slot ? replaced(text, slot, value) : inserted(text, slots, key, value, rankOf);
}

function rewritten(text: string, wanted: Fields): string {
  if (isFlow({ text })) return text.slice(0, itemStart(text)) + flowText(wanted);
  const indent = indentOf(text) ?? 2;
  const eol = eolOf(text);
  let start = 0;
  while (indentOf(text.slice(start, text.indexOf('\n', start) + 1 || undefined)) === undefined) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return text;
  }
  const lines = item(wanted, indent).join(eol);
  return text.slice(0, start) + lines + (text.endsWith('\n') ? eol : '');
}

const maxNodes = 20_000;

/** What an entry defines for others (`&name`) must stay what it is: to change it would change their meaning. */
function lendsStill(entry: Entry, text: string): Wrong | undefined {
  const links = entry.file?.links;
  if (!entry.file || !(links instanceof Links) || text === entry.text) return undefined;
  const { at } = entry.file;
  const names = links.lent(at, at + entry.text.length);
  if (names.length === 0) return undefined;
  const [before, after] = [anchorsIn(entry), anchorsIn({ ...entry, text })];
  const hurt = names.find((name) => !after.has(name) || !same(before.get(name), after.get(name)));
  if (hurt === undefined) return undefined;
  const message = `other entries use "&${hurt}" of this one, so docket cannot change it`;
  return { message, fix: `Write the value out wherever "*${hurt}" stands.`, line: entry.line, column: 1 };
}

function anchorsIn(entry: Entry): Map<string, Json> {
  const found = read(entry);
  const anchors = new Map<string, Json>();
  if (!('fields' in found)) return anchors;
  const { isAlias, visit } = yaml();
  visit(found.doc, {
    Node: (_, node) => {
      if (!isAlias(node) && node.anchor !== undefined)
        anchors.set(
          node.anchor,
          jsonOf(found.doc, node, maxNodes, () => null),
        );
    },
  });
  return anchors;
}
