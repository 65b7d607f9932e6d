import type * as Sdk from '@larksuiteoapi/node-sdk';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { installPackage, isPackageInstalled, packageRoot } from '../../io/package-root.ts';
import type { Listener } from '../channel.ts';
import type { FeishuConfig } from './config.ts';
import { actionEvent, messageEvent } from './event.ts';

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

export type { Sdk };

/** An optional peer dependency: most users of docket have no Feishu, and it is larger than docket and all else. */
export const sdkPackage = '@larksuiteoapi/node-sdk';

const timeoutMs = 15_000;

/** Throws unless the SDK is installed. Call it before anything is started or written. */
export function requireSdk(): void {
  if (isPackageInstalled(sdkPackage)) return;
  throw new DocketError(
    'NOT_FOUND',
    fix`${command`chat feishu`} needs the package ${sdkPackage}, which is not installed for the docket in ${packageRoot()}`
      .text,
    `install it: ${installPackage(sdkPackage)}`,
    { package: sdkPackage },
  );
}

/** Six megabytes of code: only for who talks to Feishu. */
export async function loadSdk(): Promise<typeof Sdk> {
  const sdk = await import('@larksuiteoapi/node-sdk');
  // It waits for ever, and would carry the app's secret to wherever a redirect leads.
  Object.assign(sdk.defaultHttpInstance.defaults, { timeout: timeoutMs, maxRedirects: 0 });
  return sdk;
}

/** The SDK would print to the terminal, requests with their secrets among it. What is told are sentences of its own. */
export function quietLogger(tell: (text: string) => void = () => undefined): Sdk.Logger {
  const nothing = (): void => undefined;
  const error = (...parts: unknown[]): void => {
    const words = parts.flat(2).filter((part) => typeof part === 'string');
    if (words.length > 0) tell(words.join(' '));
  };
  return { error, warn: nothing, info: nothing, debug: nothing, trace: nothing };
}
