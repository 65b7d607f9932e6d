import { DocketError } from '../errors.ts';

export interface Address {
  host: string;
  port: number;
}

/** `127.0.0.1:8787`, `[::1]:8787` or a port alone. Anything but this machine has to be asked for on purpose. */
export function addressOf(text: string, options: { open?: boolean } = {}): Address {
  const match = /^(?:(?:\[([\da-f:.]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(text.trim());
  const host = match?.[1] ?? match?.[2] ?? '127.0.0.1';
  const port = Number(match?.[3]);
  if (!match || port > 65_535)
    throw new DocketError('USAGE', `${JSON.stringify(text)} is not an address`, 'write it as 127.0.0.1:8787');
  if (!isLoopback(host) && options.open !== true)
    throw new DocketError(
      'REFUSED',
      `${host} can be reached from other machines, and requests would come unencrypted`,
      'listen on 127.0.0.1 and put a proxy with TLS before it, or add --open',
      { host },
    );
  return { host, port };
}

/** Secrets and signed messages go over TLS, or do not leave the machine. */
export function safeUrl(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe || url.username !== '' || url.password !== '')
    throw new DocketError(
      'USAGE',
      `${what} has to be an https address without a password in it (http only on this machine)`,
      'write it as https://example.com/path',
    );
  if (isLinkLocal(url.hostname))
    throw new DocketError(
      'USAGE',
      `${what} must not be ${url.hostname}: services of the machine itself answer there, and give out its keys`,
      'name the host of your chat or service',
      { host: url.hostname },
    );
  return url.href;
}

/** Metadata services of cloud machines, and what only the next cable reaches. */
function isLinkLocal(host: string): boolean {
  return /^(?:169\.254\.\d{1,3}\.\d{1,3}|\[fe[89ab][\da-f]:.*\]|\[fd00:ec2::254\]|\[::ffff:a9fe:.*\]|metadata(?:\.google\.internal)?\.?)$/i.test(
    host,
  );
}

function isLoopback(host: string): boolean {
  return /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[?::1\]?)$/i.test(host);
}
