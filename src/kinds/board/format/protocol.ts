import * as v from 'valibot';
import { hints, keys, maybe, nonBlank, text, whole } from '../../../schema/schemas.ts';
import { tags, type Intent, type Tag, type Locale, type Routed } from './intent.ts';
import { readJsonFile, type JsonFile, type JsonRead } from './json-file.ts';

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
const ownIntents = {
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

const knownIntents: readonly IntentName[] = [...protocolIntents, ...(Object.keys(ownIntents) as OwnIntent[])];

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

const prefix = v.pipe(
  v.string(),
  v.regex(/^[^\p{L}\p{N}\s]$/u, 'must be one mark, no letter and no digit'),
  hints({ fix: 'Write "@".' }),
);
const messageTypes = maybe(v.array(v.picklist(tags)), 'What may be recorded and told.');

/** `docs/protocol-config.json`: any of its keys. `protocol` is where the plugin's own settings have some of them. */
export const protocolSchema = keys({
  $schema: maybe(text),
  version: maybe(v.literal(1)),
  messageTypes,
  intents: maybe(
    v.array(v.picklist(knownIntents)),
    "Commands that are allowed. A list without docket's own words allows those by what they stand on.",
  ),
  routing: maybe(keys({ directOverridePrefix: maybe(prefix), metadataOnly: maybe(v.boolean()) })),
  protocol: maybe(
    keys({
      messageTypes,
      allowDirectAgentOverride: maybe(v.boolean(), '"@agent" in front of a command.'),
    }),
  ),
  agents: maybe(v.array(nonBlank), 'Who may be given work; empty: anybody.'),
  broadcasters: maybe(v.array(nonBlank), 'Who may speak to the group.'),
  orchestrator: maybe(keys({ maxConcurrentSpawns: maybe(whole(1, 100), 'Workers at the same time.') })),
  channel: maybe(
    keys({
      provider: maybe(v.picklist(['feishu', 'webhook'])),
      groupId: maybe(text),
      milestoneOnly: maybe(v.boolean(), 'The group hears of milestones only.'),
    }),
  ),
  projectId: maybe(text),
});

export function readProtocol(file: JsonFile): JsonRead<v.InferOutput<typeof protocolSchema>> {
  return readJsonFile(file, protocolSchema);
}

/** What the board's file says over what is shipped. A list is replaced, never mixed. */
export function protocolOf(content?: string, file = 'docs/protocol-config.json'): Protocol {
  if (content === undefined) return shippedProtocol;
  const { $schema, version, protocol = {}, ...set } = readProtocol({ file, text: content }).value;
  const { routing, orchestrator, channel } = shippedProtocol;
  return {
    ...shippedProtocol,
    ...protocol,
    ...set,
    routing: { ...routing, ...set.routing },
    orchestrator: { ...orchestrator, ...set.orchestrator },
    channel: { ...channel, ...set.channel },
  };
}

export interface ProtocolRefusal {
  code: 'intent_not_allowed' | 'message_type_not_allowed' | 'override_not_allowed' | 'unknown_agent';
  /** What is not allowed, and what is. */
  what: string;
  allowed: readonly string[];
  reason: Readonly<Record<Locale, string>>;
}

/** What a command leaves on the board. Where a tag is not allowed, neither is what would have to write it. */
const written: Partial<Record<IntentName, readonly Tag[]>> = {
  create_task: ['[TASK]'],
  create_project: ['[TASK]'],
  start_project: ['[TASK]'],
  claim_task: ['[CLAIM]'],
  mark_done: ['[DONE]'],
  block_task: ['[BLOCKED]'],
  fail_task: ['[BLOCKED]'],
  cancel_task: ['[BLOCKED]'],
  escalate_task: ['[BLOCKED]', '[DIAG]'],
  submit_review: ['[REVIEW]'],
  approve_review: ['[REVIEW]'],
  request_changes: ['[REVIEW]'],
};

/** Whether the board's protocol lets somebody do this. */
export function allows(protocol: Protocol, { intent, overrideAgent }: Routed): true | ProtocolRefusal {
  const { messageTypes, agents, allowDirectAgentOverride } = protocol;
  if (!isListed(protocol.intents, intent.intent))
    return refuse('intent_not_allowed', intent.intent, protocol.intents);
  const tag = written[intent.intent]?.find((each) => !messageTypes.includes(each));
  if (tag !== undefined) return refuse('message_type_not_allowed', tag, messageTypes);
  if (overrideAgent !== undefined && !allowDirectAgentOverride)
    return refuse('override_not_allowed', `@${overrideAgent}`, []);
  const stranger = namedIn(intent, overrideAgent).find((name) => agents.length > 0 && !agents.includes(name));
  return stranger === undefined ? true : refuse('unknown_agent', stranger, agents);
}

/**
 * A list with the protocol's own words only was written without docket in mind: docket's words then follow the ones
 * that they stand on. As soon as it names one of docket's, it is complete.
 */
function isListed(listed: readonly IntentName[], name: IntentName): boolean {
  if (name === 'help' || name === 'unknown' || name === 'ignored_loop' || listed.includes(name)) return true;
  return isOwn(name) && !listed.some(isOwn) && listed.includes(ownIntents[name]);
}

function isOwn(name: IntentName): name is OwnIntent {
  return Object.hasOwn(ownIntents, name);
}

/** Who would get work, or a question. */
function namedIn(intent: Intent, overrideAgent: string | undefined): string[] {
  const role = intent.intent === 'dispatch' || intent.intent === 'clarify' ? [intent.role] : [];
  return [...role, ...(overrideAgent === undefined ? [] : [overrideAgent])].filter(
    (name) => name !== 'orchestrator',
  );
}

function refuse(code: ProtocolRefusal['code'], what: string, allowed: readonly string[]): ProtocolRefusal {
  const shown = what.length > 80 ? `${what.slice(0, 80)}…` : what;
  const list = allowed.length === 0 ? '' : allowed.slice(0, 12).join(', ');
  const reason = {
    en: `${shown} is not allowed by docs/protocol-config.json${list && `; allowed: ${list}`}`,
    zh: `docs/protocol-config.json 不允许 ${shown}${list && `；允许：${list}`}`,
    ja: `${shown} は docs/protocol-config.json で許可されていません${list && `。許可：${list}`}`,
  };
  return { code, what: shown, allowed, reason };
}
