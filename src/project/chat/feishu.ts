import { askOwnId, feishuChannel } from '../../channel/feishu/channel.ts';
import { feishuClient } from '../../channel/feishu/client.ts';
import { feishuConfig, feishuVariables, type FeishuConfig } from '../../channel/feishu/config.ts';
import { requireSdk } from '../../channel/feishu/connection.ts';
import { addressOf } from '../../channel/listen-at.ts';
import { DocketError, messageOf } from '../../errors.ts';
import { readSecretFile } from '../../io/text-file.ts';
import { mention } from '../../render/board/notice.ts';
import type { Project } from '../../settings/project.ts';
import type { Chat, FeishuInput } from './api.ts';
import { chatFor } from './chat.ts';
import { liveOpenIds } from './people.ts';

/** A group of Feishu or Lark, by the app's long connection or by its requests to an address of ours. */
export function feishuChat(where: Project, input: FeishuInput): Chat {
  requireSdk();
  const file = input.config === undefined ? undefined : secretsIn(input.config);
  const config = feishuConfig(input.env, file);
  const listen =
    input.listen === undefined ? undefined : addressOf(input.listen, { open: input.open === true });
  const roles = liveOpenIds(where.root);
  const groups = input.groups ?? config.groups;
  const channel = feishuChannel({
    config: { ...config, groups },
    roles,
    clock: where.clock,
    ...(listen && { listen }),
  });
  return chatFor(where, input, {
    channel,
    roles,
    groups,
    place: listen ? `http://${listen.host}:${listen.port}/` : config.domain,
    secrets: feishuVariables,
    mentionOf: (role) => mention(role, roles.byRole.get(role)),
    check: async (signal) => ({ botId: await botOf(config, where, signal) }),
  });
}

/** Also the proof that the id and the secret are right. */
async function botOf(config: FeishuConfig, { clock }: Project, signal: AbortSignal): Promise<string> {
  try {
    return await askOwnId(await feishuClient(config, clock), signal);
  } catch (error) {
    if (error instanceof DocketError) throw error;
    throw new DocketError('IO', messageOf(error), 'check the network and FEISHU_DOMAIN; then try again');
  }
}

function secretsIn(file: string): { path: string; text: string } {
  const text = readSecretFile(file);
  if (text !== undefined) return { path: file, text };
  throw new DocketError(
    'NOT_FOUND',
    `there is no file ${file}`,
    'name the file with the settings: --config FILE (docs/chat.md has an example)',
    {
      path: file,
    },
  );
}
