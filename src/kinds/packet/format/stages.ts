export const tools = ['codex', 'gemini', 'copilot'] as const;
export type Tool = (typeof tools)[number];

type GateName =
  | 'brief'
  | 'impl'
  | 'verify'
  | 'review'
  | 'runbook'
  | 'test_design'
  | 'static_verify'
  | 'test_impl'
  | 'other';

interface Role {
  /** Who plays it in the format's table. */
  tools: readonly Tool[];
  /** What its output must hold. */
  gate: GateName;
  /** Only these may change files: `verify` to mend what it finds. The diff of `test_impl` is a proposal to read. */
  writes: 'tree' | 'nothing';
}

const roles: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['brief', { tools: ['gemini'], gate: 'brief', writes: 'nothing' }],
  ['impl', { tools: ['codex'], gate: 'impl', writes: 'tree' }],
  ['verify', { tools: ['codex'], gate: 'verify', writes: 'tree' }],
  ['review', { tools: ['gemini', 'codex', 'copilot'], gate: 'review', writes: 'nothing' }],
  ['review_consolidate', { tools: ['copilot'], gate: 'review', writes: 'nothing' }],
  ['runbook', { tools: ['copilot'], gate: 'runbook', writes: 'tree' }],
  ['test_design', { tools: ['gemini'], gate: 'test_design', writes: 'nothing' }],
  ['static_verify', { tools: ['gemini'], gate: 'static_verify', writes: 'nothing' }],
  ['test_impl', { tools: ['codex'], gate: 'test_impl', writes: 'nothing' }],
]);

/** It always gets the digest. */
export function needsShortPrompt(tool: Tool): boolean {
  return tool === 'copilot';
}

/** A role of somebody's own profile: it reads, and its output only has to be there. */
const ownRole: Role = { tools: [], gate: 'other', writes: 'nothing' };

export interface Stage {
  stage: string;
  tool: Tool;
  role: string;
  gate: GateName;
  writes: 'tree' | 'nothing';
  /** Whether the format's table has this tool in this role; if not, its template is somebody's own. */
  known: boolean;
}

/** A stage is named `<tool>_<role>`. It becomes an id and part of file names. */
const pattern = /^(codex|gemini|copilot)_([a-z][a-z0-9_]{0,63})$/;
export const stageAdvice = 'Write <tool>_<role>: codex, gemini or copilot, "_", and a role in small letters.';

export function parseStage(name: string): Stage | undefined {
  const [, tool, role] = (pattern.exec(name) ?? []) as unknown as [string, Tool?, string?];
  if (tool === undefined || role === undefined) return undefined;
  const { tools: players, gate, writes } = roles.get(role) ?? ownRole;
  return { stage: name, tool, role, gate, writes, known: players.includes(tool) };
}
