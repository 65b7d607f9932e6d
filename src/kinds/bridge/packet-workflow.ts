import type { AddInput } from '../../app/add-input.ts';
import { DocketError } from '../../errors.ts';
import type { Graph, Node } from '../../workflow/graph.ts';

const prefix = 'packet:';

/** `packet:safe_impl`, the workflow of one step that a packet of that intent does. */
export function intentIn(workflow: string | undefined): string | undefined {
  return workflow?.startsWith(prefix) ? workflow.slice(prefix.length) : undefined;
}

/** What a new task says that a packet is to do. Its stages have agents of their own. */
export function withPacket<T extends AddInput>(input: T): T {
  const { packet } = input;
  if (packet === undefined) return input;
  const other = (['workflow', 'startStep', 'agent'] as const).find((key) => input[key] !== undefined);
  if (other === undefined) return { ...input, workflow: prefix + packet };
  const option = other === 'startStep' ? '--start-step' : `--${other}`;
  throw new DocketError('INVALID', `--packet and ${option} contradict each other`, 'give one of them', {
    packet,
  });
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
