import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tags, type Intent, type Routed } from '../../../../src/kinds/board/format/intent.ts';
import {
  allows,
  protocolOf,
  protocolIntents,
  shippedProtocol,
} from '../../../../src/kinds/board/format/protocol.ts';

const routed = (intent: Intent, overrideAgent?: string): Routed => ({
  intent,
  actor: 'alice',
  locale: 'en',
  ...(overrideAgent !== undefined && { overrideAgent }),
});
const create: Intent = { intent: 'create_task', title: 'x' };
const told = (config: unknown, intent: Intent, overrideAgent?: string) => {
  const answer = allows(protocolOf(JSON.stringify(config)), routed(intent, overrideAgent));
  return answer === true ? true : answer.code;
};

describe('the protocol', () => {
  it('that is shipped is the file in configs/', () => {
    const text = readFileSync(
      new URL('../../../../configs/board/protocol-config.json', import.meta.url),
      'utf8',
    );
    expect(protocolOf(text)).toEqual(shippedProtocol);
    expect(protocolOf()).toEqual(shippedProtocol);
    expect(protocolOf('{}')).toEqual(shippedProtocol);
  });

  it('of a board lies over it, also in the words of the plugin', () => {
    const config = {
      messageTypes: ['[TASK]', '[DONE]'],
      protocol: { messageTypes: ['[DIAG]'], allowDirectAgentOverride: false },
      orchestrator: { maxConcurrentSpawns: 1 },
      channel: { groupId: 'oc_1' },
      routing: { metadataOnly: false },
      projectId: 'p',
    };
    expect(protocolOf(JSON.stringify(config))).toEqual({
      ...shippedProtocol,
      messageTypes: ['[TASK]', '[DONE]'],
      allowDirectAgentOverride: false,
      orchestrator: { maxConcurrentSpawns: 1 },
      channel: { provider: 'feishu', groupId: 'oc_1', milestoneOnly: true },
      routing: { directOverridePrefix: '@', metadataOnly: false },
      projectId: 'p',
    });
    expect(protocolOf('{"protocol": {"messageTypes": ["[DIAG]"]}}').messageTypes).toEqual(['[DIAG]']);
  });

  it('that is wrong is told with its file', () => {
    expect(() => protocolOf('{"intents": ["fly"]}', 'docs/p.json')).toThrow(
      /^docs\/p\.json:1:14: intents\[0\] "fly" is not one of create_task, /,
    );
    expect(() => protocolOf('{')).toThrow(/docs\/protocol-config\.json:1:/);
  });
});

describe('a command', () => {
  const run: Intent = { intent: 'run' };
  const cancel: Intent = { intent: 'cancel_task', taskId: 'T-1' };

  it('is allowed by the shipped protocol, whatever it is', () => {
    for (const intent of [create, run, cancel, { intent: 'report', text: 'x' } as const])
      expect(allows(shippedProtocol, routed(intent, 'debugger'))).toBe(true);
  });

  it('is refused when it is not listed', () => {
    const answer = allows(protocolOf('{"intents": ["status"]}'), routed(create));
    expect(answer).toMatchObject({ code: 'intent_not_allowed', what: 'create_task', allowed: ['status'] });
    expect(answer).toMatchObject({ reason: { zh: expect.stringContaining('create_task') as string } });
  });

  it("of docket's own follows the word that it stands on, until one of its own is listed", () => {
    expect(told({ intents: [...protocolIntents] }, run)).toBe(true);
    expect(told({ intents: ['status', 'create_task'] }, run)).toBe('intent_not_allowed');
    expect(told({ intents: ['claim_task'] }, cancel)).toBe('intent_not_allowed');
    expect(told({ intents: ['block_task'] }, cancel)).toBe(true);
    expect(told({ intents: [...protocolIntents, 'run'] }, run)).toBe(true);
    expect(told({ intents: [...protocolIntents, 'run'] }, cancel)).toBe('intent_not_allowed');
  });

  it('that asks for help, or means nothing, is never refused', () => {
    expect(told({ intents: [] }, { intent: 'help' })).toBe(true);
    expect(told({ intents: [] }, { intent: 'unknown', raw: 'x' })).toBe(true);
    expect(told({ intents: [] }, { intent: 'ignored_loop' })).toBe(true);
  });

  it('is refused when it could not be written down', () => {
    const without = (gone: string) => ({ messageTypes: tags.filter((tag) => tag !== gone) });
    const escalate: Intent = { intent: 'escalate_task', taskId: 'T-1' };
    expect(told(without('[DIAG]'), escalate)).toBe('message_type_not_allowed');
    expect(told(without('[REVIEW]'), { intent: 'submit_review', taskId: 'T-1' })).toBe(
      'message_type_not_allowed',
    );
    expect(told(without('[REVIEW]'), escalate)).toBe(true);
  });

  it('may be for somebody only where the board says so', () => {
    const dispatch: Intent = { intent: 'dispatch', taskId: 'T-1', role: 'tester' };
    expect(told({ protocol: { allowDirectAgentOverride: false } }, create, 'x')).toBe('override_not_allowed');
    expect(told({ protocol: { allowDirectAgentOverride: false } }, create)).toBe(true);
    expect(told({ agents: ['coder'] }, create, 'debugger')).toBe('unknown_agent');
    expect(told({ agents: ['coder'] }, create, 'coder')).toBe(true);
    expect(told({ agents: ['coder'] }, create, 'orchestrator')).toBe(true);
    expect(told({ agents: ['coder'] }, dispatch)).toBe('unknown_agent');
    expect(told({}, dispatch)).toBe(true);
  });
});
