import { describe, expect, it } from 'vitest';
import { mermaidOf } from '../../src/render/graph-mermaid.ts';
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
