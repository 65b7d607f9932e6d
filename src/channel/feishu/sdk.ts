import type * as Sdk from '@larksuiteoapi/node-sdk';
import { DocketError } from '../../errors.ts';
import { installPackage, isPackageInstalled } from '../../io/optional-package.ts';
import { packageRoot } from '../../io/package-root.ts';

export type { Sdk };

/** An optional peer dependency: most users of docket have no Feishu, and it is larger than docket and all else. */
export const sdkPackage = '@larksuiteoapi/node-sdk';

const timeoutMs = 15_000;

/** Throws unless the SDK is installed. Call it before anything is started or written. */
export function requireSdk(): void {
  if (isPackageInstalled(sdkPackage)) return;
  throw new DocketError(
    'NOT_FOUND',
    `docket chat feishu needs the package ${sdkPackage}, which is not installed for the docket in ${packageRoot()}`,
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
