import fs from 'node:fs';
import path from 'node:path';
import { appId, appSecret, FeishuServer, groupId } from '../../../../support/feishu-server.ts';
import type { Story } from '../story.ts';

const hook = 'chat webhook --out http://127.0.0.1:9/ --group g';
const env = { DOCKET_HOOK_SECRET: 'a secret of more than sixteen characters' };

export const chat: Story = {
  title: 'chats',
  make: async (place) => {
    const { domain } = await FeishuServer.start();
    place.write('feishu.json', JSON.stringify({ appId, appSecret, domain, groups: [groupId] }));
    fs.chmodSync(path.join(place.root, 'feishu.json'), 0o600);
  },
  lines: [
    'chat feishu --config feishu.json --dry-run',
    { line: `${hook} --dry-run`, env },
    { line: `${hook} --listen 127.0.0.1:0`, env, until: '"ready"' },
    { line: 'chat webhook', code: 2 },
  ],
};
