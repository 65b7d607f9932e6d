import { messageOf } from '../../errors.ts';
import { isObject } from '../../task/json.ts';
import { textIn } from '../fields.ts';
import { retryAfterMs, SendError } from '../send-error.ts';

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

export function isTokenRefused({ status, code }: Refusal): boolean {
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
