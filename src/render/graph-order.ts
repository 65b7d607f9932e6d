/** A box in a layer, or the place where an arrow passes through one. */
export interface Item {
  id: string;
  width: number;
  height: number;
  layer: number;
}

export interface Link {
  from: string;
  to: string;
  /** How much it wants to be straight. */
  weight?: number;
}

/** How far each id is from the top: one more than the deepest that leads to it. Arrows that close a circle do not count. */
export function layersFor(
  ids: readonly string[],
  links: readonly Link[],
): { layer: Map<string, number>; back: Set<Link> } {
  const out = groupBy(links, ({ from }) => from);
  const state = new Map<string, 'open' | 'done'>();
  const back = new Set<Link>();
  const order: string[] = [];
  for (const id of ids) visit(id);
  const layer = new Map(ids.map((id) => [id, 0]));
  for (const id of order.toReversed())
    for (const link of out.get(id) ?? [])
      if (!back.has(link)) layer.set(link.to, Math.max(layer.get(link.to) ?? 0, (layer.get(id) ?? 0) + 1));
  return { layer, back };

  function visit(id: string): void {
    if (state.has(id)) return;
    state.set(id, 'open');
    for (const link of out.get(id) ?? []) {
      if (state.get(link.to) === 'open') back.add(link);
      else visit(link.to);
    }
    state.set(id, 'done');
    order.push(id);
  }
}

const sweeps = 12;

/** Left to right in each layer, so that few links cross: everything near the middle of what it is linked to. */
export function orderedLayers(items: readonly Item[], links: readonly Link[]): Item[][] {
  const layers: Item[][] = [];
  for (const item of items) (layers[item.layer] ??= []).push(item);
  const near = neighbours(links);
  const place = new Map<string, number>();
  const number = (layer: readonly Item[]): void =>
    layer.forEach(({ id }, at) => place.set(id, at / layer.length));
  for (const layer of layers) number(layer ?? []);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const wish = new Map(
        layer.map(({ id }) => [
          id,
          mean((near.get(id) ?? []).map((other) => [place.get(other.id) ?? 0, other.weight])),
        ]),
      );
      layer.sort(
        (a, b) => (wish.get(a.id) ?? place.get(a.id) ?? 0) - (wish.get(b.id) ?? place.get(b.id) ?? 0),
      );
      number(layer);
    }
  }
  return layers;
}

/** The middle of each item, left to right: as near to what it is linked to as its neighbours in the layer allow. */
export function columns(
  layers: readonly (readonly Item[])[],
  links: readonly Link[],
  gap: number,
): Map<string, number> {
  const near = neighbours(links);
  const x = new Map<string, number>();
  for (const layer of layers) {
    let at = 0;
    for (const { id, width } of layer) {
      x.set(id, at + width / 2);
      at += width + gap;
    }
    for (const { id } of layer) x.set(id, (x.get(id) ?? 0) - at / 2);
  }
  for (let sweep = 0; sweep < 10 * sweeps; sweep++)
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) spread(layer, x, near, gap);
  return x;
}

/**
 * Each item goes where it wants to. Those that would overlap stand side by side, as a group, where it costs least: the
 * more weight an item's links have, the more it counts.
 */
function spread(
  layer: readonly Item[],
  x: Map<string, number>,
  near: ReadonlyMap<string, Near[]>,
  gap: number,
): void {
  const groups: { items: Item[]; start: number; width: number; weight: number }[] = [];
  for (const item of layer) {
    const others = near.get(item.id) ?? [];
    const weight = others.reduce((sum, other) => sum + other.weight, 0) || 0.01;
    const wish = mean(others.map(({ id, weight: by }) => [x.get(id) ?? 0, by])) ?? x.get(item.id) ?? 0;
    let group = { items: [item], start: wish - item.width / 2, width: item.width, weight };
    for (
      let last = groups.at(-1);
      last && last.start + last.width + gap > group.start;
      last = groups.at(-1)
    ) {
      groups.pop();
      // Where the joined group has to begin for each half to be where it wants to be.
      const starts: [number, number][] = [
        [last.start, last.weight],
        [group.start - last.width - gap, group.weight],
      ];
      const items = [...last.items, ...group.items];
      group = {
        items,
        start: mean(starts) ?? 0,
        width: last.width + gap + group.width,
        weight: last.weight + group.weight,
      };
    }
    groups.push(group);
  }
  for (const { items, start } of groups) {
    let at = start;
    for (const item of items) {
      x.set(item.id, at + item.width / 2);
      at += item.width + gap;
    }
  }
}

interface Near {
  id: string;
  weight: number;
}

function neighbours(links: readonly Link[]): Map<string, Near[]> {
  const near = new Map<string, Near[]>();
  const add = (a: string, id: string, weight: number) =>
    near.set(a, [...(near.get(a) ?? []), { id, weight }]);
  for (const { from, to, weight = 1 } of links) {
    add(from, to, weight);
    add(to, from, weight);
  }
  return near;
}

/** Of values with weights. */
function mean(values: readonly (readonly [value: number, weight: number])[]): number | undefined {
  const total = values.reduce((sum, [, weight]) => sum + weight, 0);
  return total === 0 ? undefined : values.reduce((sum, [value, weight]) => sum + value * weight, 0) / total;
}

function groupBy(links: readonly Link[], key: (link: Link) => string): Map<string, Link[]> {
  const groups = new Map<string, Link[]>();
  for (const link of links) groups.set(key(link), [...(groups.get(key(link)) ?? []), link]);
  return groups;
}
