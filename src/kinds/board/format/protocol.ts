import { tags, type Intent, type Tag } from './intent.ts';

export type IntentName = Intent['intent'];

/** What a board allows, and how much at once. */
export interface Protocol {
  /** What may be recorded and told. */
  messageTypes: readonly Tag[];
  /** Commands of the board. See `allows` for what a list means that does not have docket's own words. */
  intents: readonly IntentName[];
  routing: { directOverridePrefix: string; metadataOnly: boolean };
  /** `@agent` in front of a command. */
  allowDirectAgentOverride: boolean;
  /** Who may be given work; empty: anybody. */
  agents: readonly string[];
  /** Who may speak to the group. */
  broadcasters: readonly string[];
  orchestrator: { maxConcurrentSpawns: number };
  channel: { provider: string; groupId?: string; milestoneOnly: boolean };
  projectId?: string;
}

/** The words of the protocol itself. */
export const protocolIntents = [
  'create_task',
  'claim_task',
  'mark_done',
  'block_task',
  'escalate_task',
  'status',
  'synthesize',
] as const satisfies readonly IntentName[];
type ProtocolIntent = (typeof protocolIntents)[number];

/** docket's own, and the word of the protocol that each of them stands on. */
export const ownIntents = {
  create_project: 'create_task',
  start_project: 'create_task',
  add_needs: 'create_task',
  run: 'claim_task',
  dispatch: 'claim_task',
  autopilot: 'claim_task',
  auto_progress: 'claim_task',
  unblock_task: 'claim_task',
  reopen_task: 'claim_task',
  submit_review: 'mark_done',
  approve_review: 'mark_done',
  request_changes: 'mark_done',
  report: 'mark_done',
  fail_task: 'block_task',
  cancel_task: 'block_task',
  clarify: 'status',
} as const satisfies Partial<Record<IntentName, ProtocolIntent>>;
export type OwnIntent = keyof typeof ownIntents;

export const knownIntents: readonly IntentName[] = [
  ...protocolIntents,
  ...(Object.keys(ownIntents) as OwnIntent[]),
];

/** What comes with docket. `configs/board/protocol-config.json` says the same; a test holds it to it. */
export const shippedProtocol: Protocol = {
  messageTypes: tags,
  intents: protocolIntents,
  routing: { directOverridePrefix: '@', metadataOnly: true },
  allowDirectAgentOverride: true,
  agents: [],
  broadcasters: ['orchestrator'],
  orchestrator: { maxConcurrentSpawns: 3 },
  channel: { provider: 'feishu', milestoneOnly: true },
};
