import { columns, layersFor, orderedLayers, type Item, type Link } from './graph-order.ts';
import type { Arrow, Box } from './graph-picture.ts';

export interface Size {
  width: number;
  height: number;
}
interface Point {
  x: number;
  y: number;
}

export interface PlacedArrow {
  arrow: Arrow;
  /** From its beginning to its end, through every layer between them. */
  points: Point[];
  label: Point;
}

export interface Layout extends Size {
  boxes: { box: Box; x: number; y: number; width: number; height: number }[];
  arrows: PlacedArrow[];
}

const gap = 28;
const between = 22;
const margin = 24;

/**
 * Boxes in layers from top to bottom, and between two layers of boxes one for labels. Every arrow passes through each
 * layer on its way at a place of its own, so that nothing lies upon anything else.
 */
export function layoutOf(
  picture: { boxes: readonly Box[]; arrows: readonly Arrow[] },
  boxSize: (box: Box) => Size,
  labelSize: (arrow: Arrow) => Size,
): Layout {
  const ids = picture.boxes.map(({ id }) => id);
  const plain = picture.arrows.filter(({ from, to }) => from !== to);
  const { layer, back } = layersFor(ids, plain);
  const last = Math.max(...layer.values());
  for (const { id, kind } of picture.boxes)
    if (kind === 'done' || kind === 'failed') layer.set(id, Math.max(last, layer.get(id) ?? 0));
  const items: Item[] = picture.boxes.map((box) => ({
    id: box.id,
    ...boxSize(box),
    layer: 2 * (layer.get(box.id) ?? 0),
  }));
  const links: Link[] = [];
  const ways = plain.map((arrow, at) => wayOf(arrow, at, back.has(arrow)));

  const layers = orderedLayers(items, links);
  const x = columns(layers, links, gap);
  const y = rows(layers);
  const box = new Map(items.map((item) => [item.id, item]));
  const ports = portsOf();
  const arrows = ways.map(({ arrow, through, label }) => {
    const middle = through.map((id) => point(id));
    const [a, b] = [point(arrow.from), point(arrow.to)];
    const down = (y.get(box.get(arrow.to)?.layer ?? 0) ?? 0) > (y.get(box.get(arrow.from)?.layer ?? 0) ?? 0);
    const half = (id: string) => ((box.get(id)?.height ?? 0) / 2) * (down ? 1 : -1);
    const start = { x: ports.get(`${arrow.from} ${through[0]}`) ?? a.x, y: a.y + half(arrow.from) };
    const end = { x: ports.get(`${arrow.to} ${through.at(-1)}`) ?? b.x, y: b.y - half(arrow.to) };
    return { arrow, points: [start, ...middle, end], label: point(label) };
  });
  return framed({
    boxes: picture.boxes.map((one) => ({ box: one, ...point(one.id), ...boxSize(one) })),
    arrows: [...arrows, ...loops()],
  });

  function wayOf(
    arrow: Arrow,
    at: number,
    isBack: boolean,
  ): { arrow: Arrow; through: string[]; label: string } {
    const [top, bottom] = isBack ? [arrow.to, arrow.from] : [arrow.from, arrow.to];
    const from = 2 * (layer.get(top) ?? 0);
    const to = 2 * (layer.get(bottom) ?? 0);
    const labelled = isBack ? to - 1 : from + 1;
    // The way that most runs take stands upright: from each box to the next layer by its first rule.
    const ends = !isBack && to === from + 2 && !arrow.dashed && isFirst(arrow) ? 6 : 1;
    const through: string[] = [];
    let before = top;
    for (let deep = from + 1; deep < to; deep++) {
      const id = `--way ${at} ${deep}`;
      items.push({ id, layer: deep, ...(deep === labelled ? labelSize(arrow) : { width: 6, height: 0 }) });
      links.push({ from: before, to: id, weight: before === top ? ends : 30 });
      through.push(id);
      before = id;
    }
    links.push({ from: before, to: bottom, weight: ends });
    return { arrow, through: isBack ? through.toReversed() : through, label: `--way ${at} ${labelled}` };
  }

  function isFirst(arrow: Arrow): boolean {
    return plain.find(({ from }) => from === arrow.from) === arrow;
  }

  function point(id: string): Point {
    return { x: x.get(id) ?? 0, y: y.get(box.get(id)?.layer ?? 0) ?? 0 };
  }

  /** Where arrows touch a box: side by side, in the order of where they come from. */
  function portsOf(): Map<string, number> {
    const found = new Map<string, number>();
    for (const { id, width, layer: deep } of items) {
      if (id.startsWith('--way')) continue;
      for (const side of [deep - 1, deep + 1]) {
        const ends = links.flatMap(({ from, to }) => (from === id ? to : to === id ? from : []));
        const here = ends
          .filter((other) => box.get(other)?.layer === side)
          .toSorted((a, b) => (x.get(a) ?? 0) - (x.get(b) ?? 0));
        const step = Math.min(36, (width - 24) / Math.max(1, here.length));
        here.forEach((other, at) =>
          found.set(`${id} ${other}`, (x.get(id) ?? 0) + (at - (here.length - 1) / 2) * step),
        );
      }
    }
    return found;
  }

  /** Back to the same box: a bow at its right side. */
  function loops(): PlacedArrow[] {
    return picture.arrows
      .filter(({ from, to }) => from === to)
      .map((arrow) => {
        const { x: middle, y: line } = point(arrow.from);
        const side = middle + (box.get(arrow.from)?.width ?? 0) / 2;
        const points = [
          { x: side, y: line - 10 },
          { x: side + 26, y: line - 10 },
          { x: side + 26, y: line + 10 },
          { x: side, y: line + 10 },
        ];
        return { arrow, points, label: { x: side + 34 + labelSize(arrow).width / 2, y: line } };
      });
  }
}

/** The middle of each layer, from top to bottom. */
function rows(layers: readonly (readonly Item[])[]): Map<number, number> {
  const y = new Map<number, number>();
  let at = 0;
  layers.forEach((layer, deep) => {
    const height = Math.max(0, ...layer.map((item) => item.height));
    y.set(deep, at + height / 2);
    at += height + between;
  });
  return y;
}

/** Moved so that everything is right of and below a margin. */
function framed({ boxes, arrows }: Pick<Layout, 'boxes' | 'arrows'>): Layout {
  const xs = [
    ...boxes.flatMap(({ x, width }) => [x - width / 2, x + width / 2]),
    ...arrows.flatMap(({ points, label }) => [...points.map(({ x }) => x), label.x - 90, label.x + 90]),
  ];
  const left = margin - Math.min(...xs);
  const top = margin - Math.min(...boxes.map(({ y, height }) => y - height / 2));
  const move = ({ x, y }: Point): Point => ({ x: x + left, y: y + top });
  return {
    width: Math.max(...xs) + left + margin,
    height: Math.max(...boxes.map(({ y, height }) => y + height / 2)) + top + margin,
    boxes: boxes.map((one) => ({ ...one, ...move(one) })),
    arrows: arrows.map((one) => ({ ...one, points: one.points.map(move), label: move(one.label) })),
  };
}
