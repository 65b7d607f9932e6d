import { DocketError, messageOf } from '../../errors.ts';
import { sleepUnless, systemClock, type Clock } from '../../io/clock.ts';
import { listenHttp } from '../../io/http-server.ts';
import type { Channel, Listener } from '../channel.ts';
import type { Address } from '../listen-at.ts';
import { backoffMs, fateOf } from '../send-error.ts';
import { Callbacks } from './callback.ts';
import { feishuClient, type FeishuClient, CredentialsError } from './client.ts';
import type { FeishuConfig } from './config.ts';
import { holdConnection, type Deliver } from './connection.ts';
import { decodeEvent, type Company } from './event.ts';
import type { OpenIds } from './openids.ts';

export interface FeishuOptions {
  config: FeishuConfig;
  roles: OpenIds;
  /** The name that the board's commands know our bot by. */
  role?: string;
  /** Instead of the long connection: wait for the vendor's requests here. */
  listen?: Address;
  clock?: Clock;
}

const maxBytes = 1024 * 1024;
const maxKnown = 10_000;

export function feishuChannel(options: FeishuOptions): Channel {
  const { config, roles, clock = systemClock } = options;
  let loading: Promise<FeishuClient> | undefined;
  const client = () => (loading ??= feishuClient(config, clock));
  /** Who has spoken here may be mentioned, and those that the map names. */
  const spoke = new Set<string>();
  const isKnown = (openId: string) => spoke.has(openId) || roles.roleOf(openId) !== undefined;
  return {
    name: 'feishu',
    send: async (message, signal) => (await client()).send(message, isKnown, signal),
    start: async (listener, signal) => {
      const secrets = options.listen && callbackSecrets(config);
      const openId = await ownId(await client(), listener, signal);
      if (openId === undefined) return;
      const company = { openId, role: options.role ?? 'orchestrator', roles, groups: new Set(config.groups) };
      const deliver = deliverTo(listener, company, (speaker) => {
        if (spoke.size < maxKnown) spoke.add(speaker);
      });
      const onNote = listener.onNote ?? (() => undefined);
      if (!options.listen || !secrets) return holdConnection(config, deliver, onNote, signal);
      const callbacks = new Callbacks(secrets, deliver, (why) => onNote({ kind: 'refused', why }), clock);
      const onError = (error: unknown) => onNote({ kind: 'trouble', text: messageOf(error) });
      const server = await listenHttp({ ...options.listen, maxBytes, signal, onError }, (asked) =>
        callbacks.answer(asked),
      );
      onNote({ kind: 'ready', where: `http://${options.listen.host}:${server.port}/` });
      await server.closed;
    },
  };
}

function callbackSecrets(config: FeishuConfig) {
  const { appId, encryptKey, verificationToken } = config;
  if (encryptKey === undefined)
    throw new DocketError(
      'USAGE',
      'without FEISHU_ENCRYPT_KEY nobody can tell requests of Feishu from forged ones',
      'set an Encrypt Key in the developer console (Events and Callbacks, Encryption Strategy) and here',
    );
  return { appId, encryptKey, ...(verificationToken !== undefined && { verificationToken }) };
}

function deliverTo(listener: Listener, company: Company, spoke: (openId: string) => void): Deliver {
  return async (type, event) => {
    const decoded = decodeEvent(type, event, company);
    if ('ignored' in decoded) {
      listener.onNote?.(decoded.ignored);
      return {};
    }
    const { inbound } = decoded;
    spoke(inbound.sender.openId);
    if (inbound.kind === 'action') return listener.onAction(inbound);
    await listener.onMessage(inbound);
    return {};
  };
}

/** Waits out an outage; a wrong id or secret is an error at once. Undefined: it was told to stop. */
async function ownId(
  client: FeishuClient,
  listener: Listener,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      return await askOwnId(client, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof DocketError) throw error;
      listener.onNote?.({ kind: 'trouble', text: messageOf(error) });
      await sleepUnless(backoffMs(tries, Math.random()), signal);
    }
  }
  return undefined;
}

/** What no second try would mend is docket's own error; anything else is as the client has it. */
export async function askOwnId(client: FeishuClient, signal: AbortSignal): Promise<string> {
  let openId: string;
  try {
    openId = await client.ownId(signal);
  } catch (error) {
    if (!(error instanceof CredentialsError) && fateOf(error).retry !== 'never') throw error;
    const fix = 'check FEISHU_APP_ID, FEISHU_APP_SECRET and FEISHU_DOMAIN';
    throw new DocketError('REFUSED', messageOf(error), fix);
  }
  if (openId !== '') return openId;
  throw new DocketError(
    'REFUSED',
    'the app has no bot',
    'add the bot ability to it in the developer console',
  );
}
