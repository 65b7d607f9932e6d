import { createHmac } from 'node:crypto';

export const timeHeader = 'x-docket-timestamp';
export const signatureHeader = 'x-docket-signature';

/** `sha256=` and the HMAC of the time in seconds, a point, and the body as it is sent. */
export function signatureOf(secret: string, seconds: string, body: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`;
}
