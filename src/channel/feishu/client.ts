import { messageOf } from '../../errors.ts';
import { type Clock, systemClock } from '../../io/clock.ts';
import { isObject } from '../../task/json.ts';
import type { Card, Outgoing } from '../channel.ts';
import { clip } from '../clip.ts';
import { objectIn, textIn } from '../fields.ts';
import { retryAfterMs, SendError } from '../send-error.ts';
import { shortKey } from '../spool.ts';
import type { FeishuConfig } from './config.ts';
import { loadSdk, quietLogger } from './connection.ts';
import { outgoingText } from './event.ts';

interface Call {
  method: 'GET' | 'POST';
  url: string;
  params?: Record<string, string>;
  data?: Record<string, string>;
}

export interface FeishuClient {
  /** Our own bot's id: also the proof that id and secret are right. */
  ownId(signal: AbortSignal): Promise<string>;
  send(message: Outgoing, isKnown: (openId: string) => boolean, signal: AbortSignal): Promise<{ id: string }>;
}

/** The vendor's API by its own SDK, which also fetches and renews the token. */
export async function feishuClient(config: FeishuConfig, clock: Clock = systemClock): Promise<FeishuClient> {
  const { Client } = await loadSdk();
  const { appId, appSecret, domain } = config;
  const tokens = tokenCache(clock);
  const client = new Client({ appId, appSecret, domain, cache: tokens, logger: quietLogger() });

  const request = async (call: Call, signal: AbortSignal, isSecond = false): Promise<unknown> => {
    let answer: unknown;
    let error: unknown;
    try {
      answer = await client.request({ ...call, signal });
    } catch (failure) {
      error = failure;
    }
    const isGood = isObject(answer) && answer['code'] === 0;
    if (isGood) return answer;
    const refusal = refusalIn(error ?? { response: { status: 200, data: answer } }, clock.now());
    if (!refusal) throw unreachable(error);
    if (isSecond || !isTokenRefused(refusal)) throw sendErrorOf(refusal);
    // The clock says that the token is good, the vendor does not: with a new one, at once.
    tokens.clear();
    return request(call, signal, true);
  };

  return {
    ownId: async (signal) => {
      const answer = await request({ method: 'GET', url: '/open-apis/bot/v3/info' }, signal);
      return textIn(objectIn(answer, 'bot'), 'open_id');
    },
    send: async ({ key, group, content }, isKnown, signal) => {
      const isText = content.kind === 'text';
      const data = {
        receive_id: group,
        msg_type: isText ? 'text' : 'interactive',
        content: isText
          ? JSON.stringify({ text: outgoingText(content.text, isKnown) })
          : cardJson(content.card),
        // At most 50 characters; the vendor shows what has the same one within an hour once.
        uuid: shortKey(key),
      };
      const params = { receive_id_type: 'chat_id' };
      const url = '/open-apis/im/v1/messages';
      const answer = await request({ method: 'POST', url, params, data }, signal);
      return { id: textIn(objectIn(answer, 'data'), 'message_id') };
    },
  };
}

/** As the SDK's own, but of this client alone, and it can be told to forget. */
function tokenCache(clock: Clock) {
  const values = new Map<string, { value: unknown; until: number | undefined }>();
  const nameOf = (key: unknown, namespace = '') => `${namespace}/${String(key)}`;
  return {
    get: async (key: unknown, options?: { namespace?: string }) => {
      const found = values.get(nameOf(key, options?.namespace));
      return found && (found.until ?? Infinity) > clock.now() ? found.value : undefined;
    },
    set: async (key: unknown, value: unknown, until?: number, options?: { namespace?: string }) => {
      values.set(nameOf(key, options?.namespace), { value, until });
      return true;
    },
    clear: () => values.clear(),
  };
}

const looks = { plain: 'default', good: 'primary', bad: 'danger' } as const;

/** The vendor takes 30 KB for a card. */
const maxLines = 12;

/** A card in the vendor's words. Every text is plain: what people wrote cannot become markup or a mention. */
function cardJson({ title, lines, buttons }: Card): string {
  const plain = (content: string, most: number) => ({ tag: 'plain_text', content: clip(content, most) });
  const actions = buttons.map(({ label, look, press }) => ({
    tag: 'button',
    type: looks[look],
    text: plain(label, 40),
    value: { ...press },
  }));
  return JSON.stringify({
    config: { wide_screen_mode: true },
    header: { template: 'blue', title: plain(title, 120) },
    elements: [
      ...lines.slice(0, maxLines).map((line) => ({ tag: 'div', text: plain(line, 500) })),
      ...(actions.length > 0 ? [{ tag: 'action', actions }] : []),
    ],
  });
}

/** Missing, unknown, expired: the token we have is of no use any more. */
const tokenCodes = new Set([99991661, 99991663, 99991671]);
/** Too much at once for the system or the group; or this message is still on its way. */
const busyCodes = new Set([11232, 230020, 230049]);

export interface Refusal {
  status: number;
  code: number;
  text: string;
  afterMs?: number;
}

/** What the vendor said, whether with an HTTP error or with a code in a good answer. Undefined: it said nothing. */
export function refusalIn(error: unknown, now: number): Refusal | undefined {
  const response =
    isObject(error) || error instanceof Error ? (error as { response?: unknown }).response : undefined;
  if (!isObject(response)) return undefined;
  const { status, data, headers } = response;
  const header = (name: string): string | undefined => textIn({ ...Object(headers) }, name) || undefined;
  const afterMs = retryAfterMs(header('x-ogw-ratelimit-reset') ?? header('retry-after'), now);
  return {
    status: Number(status) || 0,
    code: isObject(data) ? Number(data['code']) || 0 : 0,
    text: textIn(data, 'msg'),
    ...(afterMs !== undefined && { afterMs }),
  };
}

function isTokenRefused({ status, code }: Refusal): boolean {
  return tokenCodes.has(code) || (status === 401 && code === 0);
}

export function sendErrorOf({ status, code, text, afterMs }: Refusal): SendError {
  const what = `Feishu refused (HTTP ${status}, code ${code}): ${text || 'no reason given'}`;
  const after = afterMs === undefined ? {} : { afterMs };
  if (status === 429 || code === 99991400)
    return new SendError(what, { retry: 'later', wide: true, ...after });
  // Without a code it is not Feishu that speaks, but something on the way.
  const passes = code === 0 || status >= 500 || busyCodes.has(code) || tokenCodes.has(code);
  return new SendError(what, passes ? { retry: 'later', ...after } : { retry: 'never' });
}

/** The id or the secret of the app is wrong, or was changed. Nothing can be sent until somebody mends it. */
export class CredentialsError extends SendError {}

/** No answer at all. The vendor's library puts the request, secrets included, into its errors: only the words are kept. */
export function unreachable(error: unknown): SendError {
  const code = /^failed to get tenant_access_token, code: (\d+)/.exec(messageOf(error))?.[1];
  if (code !== undefined)
    return new CredentialsError(`Feishu gives no token (code ${code})`, { retry: 'later', wide: true });
  return new SendError(`Feishu cannot be reached: ${messageOf(error)}`, { retry: 'later' });
}
