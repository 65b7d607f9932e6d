import { createHmac } from 'node:crypto';
import { messageOf } from '../../errors.ts';
import type { Clock } from '../../io/clock.ts';
import type { Outgoing } from '../channel.ts';
import { parseJson, textIn } from '../fields.ts';
import { retryAfterMs, SendError } from '../send-error.ts';
import { shortKey } from '../spool.ts';

const timeoutMs = 15_000;
const maxAnswer = 64 * 1024;

/** The key goes along as `idempotency-key`: whoever receives it can tell a second try from a second message. */
export async function postSigned(
  { out, secret, clock }: { out: string; secret?: string; clock: Clock },
  { key, group, content }: Outgoing,
  signal: AbortSignal,
): Promise<{ id: string }> {
  const body = JSON.stringify({ v: 1, key, group, ...content });
  const seconds = String(Math.floor(clock.now() / 1000));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'idempotency-key': shortKey(key),
    [timeHeader]: seconds,
    // Without a secret nobody could check it.
    ...(secret !== undefined && { [signatureHeader]: signatureOf(secret, seconds, body) }),
  };
  const where = new URL(out).origin;
  let response: Response;
  let text: string;
  const limit = new AbortController();
  const stop = (): void => limit.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    // A redirect would take the message, and what signs it, to somebody else.
    response = await fetch(out, { method: 'POST', body, headers, redirect: 'manual', signal: limit.signal });
    text = await firstOf(response);
  } catch (error) {
    throw new SendError(`${where} cannot be reached: ${reasonOf(error)}`, { retry: 'later' });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
  if (response.ok) return { id: textIn(parseJson(text), 'id') || key };
  const what = `${where} answered with HTTP ${response.status}`;
  const { status } = response;
  if (status !== 429 && status !== 408 && status < 500) throw new SendError(what, { retry: 'never' });
  const afterMs = retryAfterMs(response.headers.get('retry-after'), clock.now());
  throw new SendError(what, {
    retry: 'later',
    ...(afterMs !== undefined && { afterMs }),
    ...(status === 429 && { wide: true as const }),
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause ? messageOf(error.cause) : messageOf(error);
}

/** An answer without an end is not read to its end. */
async function firstOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk as Uint8Array);
    length += (chunk as Uint8Array).length;
    if (length > maxAnswer) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

export const timeHeader = 'x-docket-timestamp';
export const signatureHeader = 'x-docket-signature';

/** `sha256=` and the HMAC of the time in seconds, a point, and the body as it is sent. */
export function signatureOf(secret: string, seconds: string, body: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`;
}
