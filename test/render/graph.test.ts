import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/render/graph-layout.ts';
import { mermaidOf } from '../../src/render/graph-mermaid.ts';
import { pictureOf } from '../../src/render/graph-picture.ts';
import { svgOf } from '../../src/render/graph-svg.ts';
import type { Graph, Node, Target } from '../../src/workflow/graph.ts';

function node(id: string, title: string, ways: [string, Target][], rest: Partial<Node> = {}): Node {
  return {
    id,
    title,
    kind: 'work',
    role: title,
    session: { mode: 'continue', key: id },
    prompt: { knowledge: [], instruction: '', criteria: [], policy: [], passPrevious: true },
    reports: [],
    checks: [],
    rules: ways.map(([text, next]) => ({ condition: { kind: 'label', text }, text, next })),
    ...rest,
  };
}

function graph(nodes: Node[], monitors: Graph['monitors'] = []): Graph {
  return {
    v: 1,
    name: 'g',
    start: nodes[0]?.id ?? '',
    nodes: Object.fromEntries(nodes.map((one) => [one.id, one])),
    monitors,
  };
}

const round = graph(
  [
    node('work', 'work', [
      ['done', { step: 'reviews' }],
      ['again', { step: 'work' }],
      ['give up', { end: 'failed' }],
    ]),
    node(
      'reviews',
      'reviews',
      [
        ['ok', { end: 'done' }],
        ['bad', { step: 'work' }],
      ],
      { kind: 'fan', parts: ['a', 'b'] },
    ),
    node('a', 'a', []),
    node('b', 'b', []),
    node('judge', 'judge', [['stop', { end: 'failed' }]]),
  ],
  [{ cycle: ['work', 'reviews'], threshold: 3, ignore: [], judge: 'judge' }],
);

const hostile = `"]; click n0 "javascript:alert(1)" </text><script>alert(1)</script> & \`x\` | # \\ \u0000\u001B[31m 設計`;

describe('a Mermaid drawing', () => {
  it('has all steps, rules, parts and monitors', () => {
    expect(mermaidOf(round)).toBe(`flowchart TD
  n0(["g"])
  n1["work"]
  subgraph n2["reviews<br/>2 at once"]
    direction LR
    n2p0["a"]
    n2p1["b"]
  end
  n3{{"judge"}}
  n4(["COMPLETE"])
  n5(["ABORT"])
  n0 --> n1
  n1 -->|"done"| n2
  n1 -->|"again"| n1
  n1 -->|"give up"| n5
  n2 -->|"ok"| n4
  n2 -->|"bad"| n1
  n3 -->|"stop"| n5
  n2 -.->|"3 rounds"| n3
`);
  });

  it('lets no text out of its quotes', () => {
    const lines = mermaidOf(graph([node('x', hostile, [[hostile, { end: 'done' }]])])).split('\n');
    expect(lines).toHaveLength(7);
    for (const line of lines)
      expect(line.replaceAll(/"[^"]*"/g, '')).not.toMatch(/script|click|\\|alert|\[3/);
  });
});

describe('an SVG drawing', () => {
  it('lets no text become a tag, and has no character that XML forbids', () => {
    const svg = svgOf(graph([node('x', hostile, [[hostile, { end: 'done' }]])]));
    expect(svg).not.toMatch(/<script|javascript:[^&]*"/);
    // oxlint-disable-next-line no-control-regex -- finding them is the purpose
    expect(svg).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]/);
    expect([...new Set(svg.match(/<\/?[a-z]+/g))].toSorted()).toEqual(
      [
        '<defs',
        '<g',
        '<marker',
        '<path',
        '<rect',
        '<style',
        '<svg',
        '<text',
        '<title',
        '</defs',
        '</g',
        '</marker',
        '</style',
        '</svg',
        '</text',
        '</title',
      ].toSorted(),
    );
  });

  it('is readable on dark ground too', () => {
    expect(svgOf(round)).toContain('@media (prefers-color-scheme:dark)');
  });

  it.each([
    ['a round', round],
    [
      'a long row',
      graph(
        Array.from({ length: 60 }, (_, at) =>
          node(`s${at}`, `step ${at}`, [
            ['on', at < 59 ? { step: `s${at + 1}` } : { end: 'done' }],
            ['back', { step: `s${Math.max(0, at - 7)}` }],
          ]),
        ),
      ),
    ],
    [
      'all to all',
      graph(
        Array.from({ length: 9 }, (_, at) =>
          node(
            `s${at}`,
            `step ${at}`,
            Array.from({ length: 9 }, (__, to) => [`to ${to}`, { step: `s${to}` }]),
          ),
        ),
      ),
    ],
  ])('puts nothing upon anything else: %s', (_, drawn) => {
    const { boxes, arrows, width, height } = layoutOf(
      pictureOf(drawn),
      () => ({ width: 100, height: 40 }),
      () => ({ width: 60, height: 14 }),
    );
    const things = [
      ...boxes,
      ...arrows.flatMap(({ arrow, label }) =>
        arrow.from === arrow.to ? [] : [{ ...label, width: 60, height: 14 }],
      ),
    ];
    const clash = things.flatMap((a, at) =>
      things
        .slice(at + 1)
        .filter(
          (b) =>
            Math.abs(a.x - b.x) < (a.width + b.width) / 2 - 1 &&
            Math.abs(a.y - b.y) < (a.height + b.height) / 2 - 1,
        ),
    );
    expect(clash).toEqual([]);
    expect(things.every(({ x, y }) => x > 0 && y > 0 && x < width && y < height)).toBe(true);
  });
});
