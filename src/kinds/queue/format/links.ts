import type { Document, Node } from 'yaml';
import { jsonOf, readDocument, yaml } from '../../../schema/yaml/yaml.ts';
import type { Json } from '../../../task/json.ts';

/** What may be an anchor (`&name`). A wrong yes costs an object. */
const anchor = /(?:^|[\s[{,:-])&[^\s,[\]{}]/m;
const maxNodes = 20_000;

/** Anchors of one record that others refer to. The whole file is read for it, when it turns out that somebody must know. */
export class Links {
  readonly #text: string;
  #found: { doc: Document; anchors: Named[]; aliases: Named[] } | undefined;

  private constructor(text: string) {
    this.#text = text;
  }

  static in(text: string): Links | undefined {
    return text.includes('&') && anchor.test(text) ? new Links(text) : undefined;
  }

  /** What a name stands for at a place of the file; undefined: nothing. */
  valueOf(name: string, at: number): Json | undefined {
    const { doc, anchors } = this.#look();
    const node = anchors.findLast((one) => one.name === name && one.at < at)?.node;
    return node && jsonOf(doc, node, maxNodes);
  }

  /** The names of a piece of the file that something behind it uses. */
  lent(from: number, to: number): string[] {
    const { anchors, aliases } = this.#look();
    const inside = anchors.filter(({ at }) => at >= from && at < to).map(({ name }) => name);
    return inside.filter((name) => aliases.some((alias) => alias.name === name && alias.at >= to));
  }

  #look() {
    if (this.#found) return this.#found;
    const read = readDocument(this.#text);
    const { Document: Empty, isAlias, visit } = yaml();
    const doc = 'doc' in read ? read.doc : new Empty();
    const anchors: Named[] = [];
    const aliases: Named[] = [];
    visit(doc, {
      Node: (_, node) => {
        const at = node.range?.[0] ?? 0;
        if (isAlias(node)) aliases.push({ name: node.source, at, node });
        else if (node.anchor !== undefined) anchors.push({ name: node.anchor, at, node });
      },
    });
    return (this.#found = { doc, anchors, aliases });
  }
}

interface Named {
  name: string;
  at: number;
  node: Node;
}
