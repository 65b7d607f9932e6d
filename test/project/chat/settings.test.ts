import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { liveOpenIds } from '../../../src/project/chat/people.ts';
import { shown } from '../../support/board.ts';
import { testChat, type TestChat } from '../../support/chat.ts';
import { scratch } from '../../support/scratch.ts';

function write(root: string, name: string, text: string): void {
  fs.mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), text);
}

const troubles = ({ news }: TestChat): string[] =>
  news.flatMap((one) => (one.kind === 'trouble' ? [one.text] : []));

it('hears by the rules as their files have them now; a file that is half saved changes nothing', async () => {
  const root = scratch();
  const protocol = 'docs/protocol-config.json';
  const policy = 'config/acceptance-policy.json';
  const chat = await testChat(root);
  await chat.say('create task: one');
  await chat.say('claim T-001');
  write(root, policy, '{"global": {"requireEvi');
  await chat.say('status');
  await chat.say('status');
  expect(troubles(chat)).toEqual([expect.stringMatching(/acceptance-policy.*what was there before/s)]);
  write(root, policy, '{"global": {"requireEvidence": false}}');
  await chat.say('done T-001: believe me');
  expect(shown(root)['T-001']).toMatchObject({ status: 'done' });
  write(root, protocol, '{"intents": ["status"]}');
  await chat.say('create task: two');
  expect(Object.keys(shown(root))).toEqual(['T-001']);
  fs.rmSync(path.join(root, protocol));
  await chat.say('create task: two');
  expect(Object.keys(shown(root))).toEqual(['T-001', 'T-002']);
  expect(troubles(chat)).toHaveLength(1);
});

it('knows who has which role as the map says now', () => {
  const root = scratch();
  const ids = liveOpenIds(root);
  const wrong: string[] = [];
  ids.onWrong = (message) => wrong.push(message);
  expect(ids.roleOf('ou_1')).toBeUndefined();
  write(root, 'config/feishu-bot-openids.json', '{"byRole": {"coder": "ou_1"}}');
  expect([ids.roleOf('ou_1'), [...ids.byRole.keys()]]).toEqual(['coder', ['coder']]);
  write(root, 'config/feishu-bot-openids.json', '{"byRole"');
  expect([ids.roleOf('ou_1'), ids.roleOf('ou_1'), wrong.length]).toEqual(['coder', 'coder', 1]);
  fs.rmSync(path.join(root, 'config'), { recursive: true });
  expect(ids.roleOf('ou_1')).toBeUndefined();
});
