import { createDecipheriv, createHash } from 'node:crypto';
import type { Clock } from '../../io/clock.ts';
import type { Answered, Asked } from '../../io/http-server.ts';
import { isObject } from '../../task/json.ts';
import { objectIn, parseJson, textIn } from '../fields.ts';
import { Replays, isSame } from '../replays.ts';
import { toastJson, type Deliver } from './connection.ts';

export interface CallbackSecrets {
  appId: string;
  encryptKey: string;
  verificationToken?: string;
}

/**
 * What the vendor posts to an address of ours: encrypted, and signed over time, nonce, key and the body as it came. The
 * question whether the address is ours carries no signature; that it decrypts, and its token, have to do.
 */
export class Callbacks {
  readonly #secrets: CallbackSecrets;
  readonly #deliver: Deliver;
  readonly #onRefused: (why: string) => void;
  readonly #replays: Replays;

  constructor(secrets: CallbackSecrets, deliver: Deliver, onRefused: (why: string) => void, clock: Clock) {
    this.#secrets = secrets;
    this.#deliver = deliver;
    this.#onRefused = onRefused;
    this.#replays = new Replays(clock);
  }

  async answer(asked: Asked): Promise<Answered> {
    if (asked.method !== 'POST') return { status: 405, json: { ok: false, error: 'post events here' } };
    const event = this.#decrypted(asked.body);
    if (event === undefined) return this.#refuse('it is not encrypted with our key');
    if (event['type'] === 'url_verification') {
      if (!this.#isOurToken(textIn(event, 'token'))) return this.#refuse('the verification token is wrong');
      return { status: 200, json: { challenge: textIn(event, 'challenge') } };
    }
    const doubt = this.#doubtAbout(asked, event);
    if (doubt !== undefined) return this.#refuse(doubt);
    const header = objectIn(event, 'header');
    const flat = { ...header, ...objectIn(event, 'event') };
    return { status: 200, json: toastJson(await this.#deliver(textIn(header, 'event_type'), flat)) };
  }

  #doubtAbout(asked: Asked, event: Record<string, unknown>): string | undefined {
    const time = asked.header('x-lark-request-timestamp');
    const nonce = asked.header('x-lark-request-nonce');
    const hash = createHash('sha256').update(time + nonce + this.#secrets.encryptKey);
    const signature = hash.update(asked.body).digest('hex');
    if (!isSame(signature, asked.header('x-lark-signature'))) return 'the signature is wrong';
    const header = objectIn(event, 'header');
    if (!this.#isOurToken(textIn(header, 'token'))) return 'the verification token is wrong';
    if (textIn(header, 'app_id') !== this.#secrets.appId) return 'it is for another app';
    return this.#replays.doubtAbout(Number(time) * 1000, nonce);
  }

  #decrypted(body: Buffer): Record<string, unknown> | undefined {
    const bytes = Buffer.from(textIn(parseJson(body.toString('utf8')), 'encrypt'), 'base64');
    if (bytes.length < 32) return undefined;
    try {
      const key = createHash('sha256').update(this.#secrets.encryptKey).digest();
      const decipher = createDecipheriv('aes-256-cbc', key, bytes.subarray(0, 16));
      const text = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString('utf8');
      const event = parseJson(text);
      return isObject(event) ? event : undefined;
    } catch {
      return undefined; // Not our key: the caller says so.
    }
  }

  #isOurToken(token: string): boolean {
    const { verificationToken } = this.#secrets;
    return verificationToken === undefined || isSame(verificationToken, token);
  }

  /** One answer for every reason: who tries keys learns nothing from it. */
  #refuse(why: string): Answered {
    this.#onRefused(why);
    return { status: 401, json: { ok: false, error: 'refused' } };
  }
}
