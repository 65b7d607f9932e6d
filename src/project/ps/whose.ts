import type { KindName } from '../../task/kind-names.ts';

/** Whose process it is, by the folder that it was started in. */
export interface Whose {
  layout?: Layout;
  /** As people call it; absent: it is for no single task. */
  task?: string;
  step?: string;
  attempt?: number;
  /** A command of docket's own, no agent: what it is for. */
  command?: string;
}

export type Layout = KindName;

const directory = /^\.agentmesh\/tasks\/([^/]+)\/agents\/([^/]+)\/runtime(?:\/attempt-(\d+))?$/;
const packet = /^\.docket\/packet\/([^/]+)\/attempts\/([^/]+)\/(\d+)$/;
const record = /^\.docket\/(queue|board)\/attempts\/([^/]+)\/([^/]+)\/(\d+)$/;

/** Where agents may write what they like: nothing of docket's is started there. */
const agentsLand = /^\.docket\/[^/]+\/clones\//;

/** `folder`: from the root, with forward slashes. Undefined: docket starts no process there. */
export function whoseFolder(folder: string): Whose | undefined {
  const found = directory.exec(folder);
  if (found) return attemptOf('task', found.slice(1));
  const inPacket = packet.exec(folder);
  if (inPacket) return attemptOf('packet', inPacket.slice(1));
  const inMany = record.exec(folder);
  if (inMany) return attemptOf(inMany[1] as 'queue' | 'board', inMany.slice(2));
  return agentsLand.test(folder) ? undefined : commandOf(folder.split('/'));
}

function attemptOf(layout: Layout, [task = '', step = '', n]: readonly (string | undefined)[]): Whose {
  return { layout, task, step, ...(n !== undefined && { attempt: Number(n) }) };
}

/** `.docket/queue/checks/<task>/0`, `.docket/packet/<task>/tree/commands/0`, `.docket/setup/<task>/commands/0`. */
function commandOf([top, own = '', ...below]: readonly string[]): Whose | undefined {
  if (top !== '.docket' || below.length < 1) return undefined;
  if (own !== 'queue' && own !== 'board') {
    const layout = own === 'agentmesh' ? 'task' : own === 'packet' ? own : undefined;
    return { ...(layout && { layout }), task: below[0] ?? '', command: own === 'packet' ? 'verify' : own };
  }
  const [command = '', task] = below;
  return { layout: own, command, ...(below.length > 2 && task !== undefined && { task }) };
}
