import { isBuiltIn } from '../../task/id.ts';

const longest = 80;

/**
 * Ids of the nodes of one graph, made from their names: letters, digits, "_" and single "-", so that "--" can number the
 * passes through a node. A name without any of these gets a number.
 */
export class NodeIds {
  readonly #taken = new Set<string>();

  make(name: string): string {
    const slug = slugOf(name) || 'step';
    const base = isBuiltIn(slug) ? `${slug}-step` : slug;
    let id = base;
    for (let number = 2; this.#taken.has(id); number++) id = `${base}-${number}`;
    this.#taken.add(id);
    return id;
  }
}

function slugOf(name: string): string {
  const plain = name
    .slice(0, 4 * longest)
    .normalize('NFKD')
    .toLowerCase();
  const words = plain.replaceAll(/\p{M}/gu, '').replaceAll(/[^a-z0-9_]+/g, '-');
  return words.replace(/^-/, '').slice(0, longest).replace(/-$/, '');
}
