import { addressOf } from '../../channel/listen-at.ts';
import { webhookChannel } from '../../channel/webhook/channel.ts';
import { DocketError } from '../../errors.ts';
import { readSecretFile } from '../../io/text-file.ts';
import { mention } from '../../render/board/notice.ts';
import type { Project } from '../../settings/project.ts';
import type { Chat, WebhookInput } from './api.ts';
import { chatFor } from './chat.ts';
import { liveOpenIds } from './people.ts';

const usualAddress = '127.0.0.1:8787';
const usualVariable = 'DOCKET_HOOK_SECRET';

/** Any other chat: signed JSON in and out. */
export function webhookChat(where: Project, input: WebhookInput): Chat {
  const variable = input.secretEnv ?? usualVariable;
  const groups = input.groups ?? [];
  if (input.out === undefined)
    throw missing(
      '--out is missing',
      'give the address that messages are posted to: --out https://chat.example/hook',
    );
  if (groups.length === 0)
    throw missing(
      '--group is missing',
      'name the groups that are heard, the first is told: --group team,ops',
    );
  const listen = addressOf(input.listen ?? usualAddress, { open: input.open === true });
  const channel = webhookChannel({
    listen,
    out: input.out,
    groups,
    secret: secretOf(input, variable),
    clock: where.clock,
  });
  return chatFor(where, input, {
    channel,
    roles: liveOpenIds(where.root),
    groups,
    place: `http://${listen.host}:${listen.port}/`,
    secrets: [variable],
    // Nobody there knows the tags of Feishu.
    mentionOf: (role) => mention(role),
    check: async () => ({}),
  });
}

function secretOf({ env, secretFile }: WebhookInput, variable: string): string {
  const found = (secretFile === undefined ? env[variable] : readSecretFile(secretFile))?.trim() ?? '';
  if (found !== '') return found;
  throw missing(
    secretFile === undefined ? `${variable} is not set` : `there is no secret in ${secretFile}`,
    `make one: export ${variable}=$(openssl rand -hex 32)`,
  );
}

function missing(message: string, fix: string): DocketError {
  return new DocketError('USAGE', message, fix);
}
