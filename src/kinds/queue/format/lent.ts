import type { Entry } from '../../../layout/layout.ts';
import type { Wrong } from '../../../schema/problem.ts';
import { same } from '../../../schema/same.ts';
import { jsonOf } from '../../../schema/yaml/values.ts';
import { yaml } from '../../../schema/yaml/yaml.ts';
import type { Json } from '../../../task/json.ts';
import { Links } from './links.ts';
import { read } from './read.ts';

const maxNodes = 20_000;

/** What an entry defines for others (`&name`) must stay what it is: to change it would change their meaning. */
export function lendsStill(entry: Entry, text: string): Wrong | undefined {
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
