import { DocketError } from '../../errors.ts';
import type { Listener } from '../channel.ts';
import type { FeishuConfig } from './config.ts';
import { actionEvent, messageEvent } from './event.ts';
import { loadSdk, quietLogger } from './sdk.ts';

/** Gives an event to who listens. It throws when it could not be kept: then the vendor delivers it again. */
export type Deliver = (type: string, event: unknown) => Promise<{ toast?: string }>;

const handshakeMs = 15_000;
const pongWithinSeconds = 20;

/** The long connection: no address of ours has to be reachable. The SDK connects again by itself. */
export async function holdConnection(
  config: FeishuConfig,
  deliver: Deliver,
  onNote: NonNullable<Listener['onNote']>,
  signal: AbortSignal,
): Promise<void> {
  const { EventDispatcher, WSClient } = await loadSdk();
  const { appId, appSecret, domain } = config;
  const logger = quietLogger((text) => onNote({ kind: 'trouble', text }));
  const dispatcher = new EventDispatcher({ logger: quietLogger() }).register({
    [messageEvent]: async (event: unknown) => void (await deliver(messageEvent, event)),
    [actionEvent]: async (event: unknown) => toastJson(await deliver(actionEvent, event)),
  });
  await new Promise<void>((resolve, reject) => {
    const client = new WSClient({
      appId,
      appSecret,
      domain,
      logger,
      handshakeTimeoutMs: handshakeMs,
      wsConfig: { pingTimeout: pongWithinSeconds },
      onReady: () => onNote({ kind: 'ready', where: domain }),
      onReconnecting: () => onNote({ kind: 'connection', state: 'lost' }),
      onReconnected: () => onNote({ kind: 'connection', state: 'back' }),
      onError: ({ message }) => {
        client.close({ force: true });
        const fix = 'check in the developer console that the app receives events by long connection';
        reject(new DocketError('REFUSED', `Feishu refused the connection: ${message}`, fix));
      },
    });
    const end = (): void => {
      client.close({ force: true });
      resolve();
    };
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, { once: true });
    client.start({ eventDispatcher: dispatcher }).catch(reject);
  });
}

export function toastJson({ toast }: { toast?: string }): object {
  return toast === undefined ? {} : { toast: { type: 'info', content: toast } };
}
