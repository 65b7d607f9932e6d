import type { Graph, Node } from '../workflow/graph.ts';

const prefix = 'packet:';

export function packetWorkflow(intent: string): string {
  return prefix + intent;
}

/** `packet:safe_impl`, the workflow of one step that a packet of that intent does. */
export function intentIn(workflow: string | undefined): string | undefined {
  return workflow?.startsWith(prefix) ? workflow.slice(prefix.length) : undefined;
}

/** Undefined: another workflow is meant. */
export function packetGraph(name: string): Graph | undefined {
  const intent = intentIn(name);
  if (intent === undefined) return undefined;
  const node: Node = {
    id: 'packet',
    title: 'packet',
    kind: 'work',
    role: 'packet',
    agent: 'packet',
    session: { mode: 'fresh', key: 'packet' },
    prompt: { knowledge: [], instruction: '', criteria: [], policy: [], passPrevious: false },
    reports: [],
    checks: [],
    rules: [{ condition: { kind: 'label', text: 'done' }, text: 'done', next: { end: 'done' } }],
    sub: { workflow: intent },
  };
  return { v: 1, name, start: node.id, nodes: { [node.id]: node }, monitors: [] };
}
