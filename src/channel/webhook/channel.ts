import { DocketError, messageOf } from '../../errors.ts';
import { systemClock, type Clock } from '../../io/clock.ts';
import { listenHttp, type Answered, type Asked } from '../../io/http-server.ts';
import { isObject } from '../../task/json.ts';
import { inboundSchema, valueOf, type Channel, type Inbound, type Listener } from '../channel.ts';
import { parseJson } from '../fields.ts';
import { safeUrl, type Address } from '../listen-at.ts';
import { Replays, isSame } from '../replays.ts';
import { postSigned, signatureHeader, signatureOf, timeHeader } from './post.ts';

export interface WebhookOptions {
  listen: Address;
  secret: string;
  /** Where messages are posted to. */
  out: string;
  /** Only these groups, where it is given. */
  groups?: readonly string[];
  clock?: Clock;
}

const maxBytes = 1024 * 1024;
const minSecret = 16;

/** Any other chat: signed JSON comes in, signed JSON goes out. */
export function webhookChannel(options: WebhookOptions): Channel {
  const { listen, secret, clock = systemClock } = options;
  if (secret.length < minSecret)
    throw new DocketError(
      'USAGE',
      `a secret of ${secret.length} characters can be guessed`,
      'make one with: openssl rand -hex 32',
    );
  const out = safeUrl(options.out, '--out');
  return {
    name: 'webhook',
    send: (message, signal) => postSigned({ out, secret, clock }, message, signal),
    start: async (listener, signal) => {
      const replays = new Replays(clock);
      const onError = (error: unknown) => listener.onNote?.({ kind: 'trouble', text: messageOf(error) });
      const server = await listenHttp({ ...listen, maxBytes, signal, onError }, (asked) =>
        answer(asked, options, listener, replays),
      );
      listener.onNote?.({ kind: 'ready', where: `http://${listen.host}:${server.port}/` });
      await server.closed;
    },
  };
}

async function answer(
  asked: Asked,
  { secret, groups }: WebhookOptions,
  listener: Listener,
  replays: Replays,
): Promise<Answered> {
  const refuse = (status: number, why: string): Answered => {
    listener.onNote?.({ kind: 'refused', why });
    return { status, json: { ok: false, error: why } };
  };
  if (asked.method !== 'POST') return refuse(405, 'post messages here');
  const seconds = asked.header(timeHeader);
  const signature = asked.header(signatureHeader);
  if (!isSame(signatureOf(secret, seconds, asked.body), signature))
    return refuse(401, 'the signature is wrong');
  const doubt = replays.doubtAbout(Number(seconds) * 1000, signature);
  if (doubt !== undefined) return refuse(401, doubt);
  const inbound = inboundIn(asked.body, Number(seconds) * 1000);
  if (!inbound)
    return refuse(400, 'a message has id, group, sender {openId, name, isBot} and text, or press');
  if (groups && !groups.includes(inbound.group))
    return refuse(403, `the group ${inbound.group} is not allowed`);
  if (inbound.kind === 'action')
    return { status: 200, json: { ok: true, ...(await listener.onAction(inbound)) } };
  await listener.onMessage(inbound);
  return { status: 200, json: { ok: true } };
}

function inboundIn(body: Buffer, at: number): Inbound | undefined {
  const value = parseJson(body.toString('utf8'));
  if (!isObject(value)) return undefined;
  return valueOf(inboundSchema, { at, ...value, kind: 'press' in value ? 'action' : 'message' });
}
