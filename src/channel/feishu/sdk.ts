import type * as Sdk from '@larksuiteoapi/node-sdk';

export type { Sdk };

const timeoutMs = 15_000;

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
