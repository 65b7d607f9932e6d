import type { Intent, Locale, Routed, Tag } from './intent.ts';
import { ownIntents, type IntentName, type OwnIntent, type Protocol } from './protocol.ts';

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
