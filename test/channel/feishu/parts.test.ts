import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CredentialsError, refusalIn, sendErrorOf, unreachable } from '../../../src/channel/feishu/client.ts';
import { feishuConfig } from '../../../src/channel/feishu/config.ts';
import { decodeEvent, messageEvent, outgoingText, wordsOf } from '../../../src/channel/feishu/event.ts';
import { openIds, parseOpenIds } from '../../../src/channel/feishu/openids.ts';

describe('the settings', () => {
  const env = { FEISHU_APP_ID: 'cli_0123456789abcdef', FEISHU_APP_SECRET: 's' };

  it('come from the environment, which wins over the file', () => {
    const text = JSON.stringify({ appSecret: 'other', groups: ['oc_1', 'oc_2'], domain: 'lark' });
    expect(feishuConfig(env, { path: 'f', text })).toEqual({
      appId: 'cli_0123456789abcdef',
      appSecret: 's',
      domain: 'https://open.larksuite.com',
      groups: ['oc_1', 'oc_2'],
    });
  });

  it.each([
    [{}, undefined, 'FEISHU_APP_ID is not set'],
    [{ ...env, FEISHU_APP_ID: 'cli_1' }, undefined, 'is no app id'],
    [{ ...env, FEISHU_DOMAIN: 'http://example.com' }, undefined, 'https'],
    [{ ...env, FEISHU_DOMAIN: 'https://user:pass@example.com' }, undefined, 'https'],
    [env, '{"appsecret": "x"}', '"appsecret" is not known'],
    [env, '{"groups": [1]}', '"groups" has to be a text'],
    [env, '[]', 'is not a JSON object'],
  ])('%j with %j are refused', (given, text, message) => {
    const file = text === undefined ? undefined : { path: 'f', text };
    expect(() => feishuConfig(given, file)).toThrow(message);
  });
});

describe('the map of roles', () => {
  it.each([
    [
      '{"byRole":{"coder":{"open_id":"ou_1","name":"Cody"}},"byAccountId":{"coder":{"openId":"ou_2"}}}',
      'ou_1',
      'Cody',
    ],
    ['{"byAccountId":{"coder":{"openId":"ou_2"}}}', 'ou_2', 'coder'],
    ['{"coder":{"openId":"ou_3","name":"C"}}', 'ou_3', 'C'],
    ['{"coder":"ou_4"}', 'ou_4', 'coder'],
  ])('%s', (text, openId, name) => {
    const ids = parseOpenIds(text, 'f');
    expect(ids.byRole.get('coder')).toEqual({ openId, name });
    expect(ids.roleOf(openId)).toBe('coder');
  });

  it('has no ids that could break out of a tag', () => {
    expect(parseOpenIds('{"coder":"ou_1\\"><at user_id=\\"all"}', 'f').byRole.size).toBe(0);
    expect(() => parseOpenIds('[]', 'feishu-bot-openids.json')).toThrow('feishu-bot-openids.json');
  });
});

describe('texts', () => {
  it('never call everybody, whatever is written', () => {
    const part = fc.constantFrom(
      '<at user_id="all">',
      '</at>',
      '<AT ',
      'user_id="',
      'all',
      '">',
      '<',
      'at',
      'x',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const sent = outgoingText(parts.join(''), (id) => id === 'ou_known');
        expect(sent).not.toMatch(/<\/?at\b/i);
      }),
    );
  });

  it('are cut between characters, and quickly', () => {
    const sent = outgoingText(`a${'😀'.repeat(100_000)}`, () => false);
    expect(sent).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
    expect(sent.length).toBeLessThanOrEqual(30_000);
    expect(outgoingText('<at user_id="'.repeat(80_000), () => true)).not.toMatch(/<at/);
  });

  it.each([
    ['text', '{"text":"hello"}', 'hello'],
    [
      'post',
      '{"title":"T","content":[[{"tag":"text","text":"a "},{"tag":"at","user_id":"@_user_1"}],[]]}',
      'T\na @_user_1\n',
    ],
    ['image', '{"image_key":"x"}', undefined],
    ['text', 'no json', undefined],
    ['post', '{"content":[1,[2]]}', '\n'],
  ])('of a %s message %s', (type, content, words) => {
    expect(wordsOf(type, content)).toBe(words);
  });
});

describe('refusals', () => {
  const never = { retry: 'never' };
  const later = { retry: 'later' };
  it.each([
    [400, { code: 230002, msg: 'bot is not in the group' }, {}, never],
    [200, { code: 230001, msg: 'invalid' }, {}, never],
    [400, { code: 230020 }, {}, later],
    [400, { code: 99991663 }, {}, later],
    [429, { code: 99991400 }, { 'x-ogw-ratelimit-reset': '7' }, { ...later, wide: true, afterMs: 7000 }],
    [400, { code: 99991400 }, {}, { ...later, wide: true }],
    [429, '<html>', { 'retry-after': '1' }, { ...later, wide: true, afterMs: 1000 }],
    [503, '', {}, later],
    [200, '<html>sign in to the network</html>', {}, later],
    [302, '', {}, later],
  ])('HTTP %i with %j and %j', (status, data, headers, fate) => {
    const refusal = refusalIn({ response: { status, data, headers } }, 0);
    expect(sendErrorOf(refusal!).fate).toEqual(fate);
  });

  it('keep no secret of the request', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { config: { data: 'app_secret' } });
    expect(refusalIn(error, 0)).toBeUndefined();
    expect(unreachable(error)).not.toHaveProperty('cause');
    expect(unreachable(new Error('failed to get tenant_access_token, code: 10014, msg: x'))).toBeInstanceOf(
      CredentialsError,
    );
  });
});

describe('events', () => {
  const company = {
    openId: 'ou_bot',
    role: 'orchestrator',
    roles: openIds(new Map([['coder', { openId: 'ou_coder', name: 'Cody' }]])),
    groups: new Set(['oc_1']),
  };

  it('name those who are mentioned by their role, and strangers by a tag that holds', () => {
    const mention = (key: string, open_id: string, name: string) => ({ key, id: { open_id }, name });
    const content = JSON.stringify({ text: '@_user_1 @_user_2 @_user_10 @_user_3' });
    const mentions = [
      mention('@_user_1', 'ou_bot', 'the bot'),
      mention('@_user_2', 'ou_coder', 'somebody'),
      mention('@_user_10', 'ou_x', 'a"><b>\n'),
    ];
    const message = { message_id: 'om_1', chat_id: 'oc_1', message_type: 'text', content, mentions };
    const sender = { sender_id: { open_id: 'ou_ann' }, sender_type: 'user' };
    expect(decodeEvent(messageEvent, { message, sender }, company)).toMatchObject({
      inbound: { text: '@orchestrator @coder <at user_id="ou_x">ab</at> @_user_3' },
    });
  });

  it('of any shape are read or ignored, never a crash', () => {
    fc.assert(
      fc.property(fc.constantFrom(messageEvent, 'card.action.trigger', 'x'), fc.anything(), (type, event) => {
        expect(decodeEvent(type, event, company)).toHaveProperty('ignored');
      }),
    );
  });
});
