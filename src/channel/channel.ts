import * as v from 'valibot';
import { card, type Card } from '../render/board/outcome.ts';

const text = v.string();
const id = v.pipe(text, v.nonEmpty(), v.maxLength(512));
const list = <S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.readonly());
const name = v.fallback(v.optional(text, ''), '');

/** What a button stands for. `times` is the gate's: a click on a card of an earlier round is told from a fresh one. */
export const pressSchema = v.object({
  taskId: id,
  action: id,
  times: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});
export const contentSchema = v.variant('kind', [
  v.object({ kind: v.literal('text'), text }),
  v.object({ kind: v.literal('card'), card }),
]);

const fromGroup = {
  /** The vendor's own, the same at every delivery. */
  id,
  group: id,
  sender: v.object({ openId: id, name, isBot: v.fallback(v.optional(v.boolean(), false), false) }),
  /** When it was said, in milliseconds, by the vendor's clock. */
  at: v.pipe(v.number(), v.finite()),
};
const mentions = v.nullish(list(v.object({ openId: id, name })), []);
export const inboundSchema = v.variant('kind', [
  v.object({ kind: v.literal('message'), ...fromGroup, text, mentions }),
  v.object({ kind: v.literal('action'), ...fromGroup, press: pressSchema }),
]);

export type Content = v.InferOutput<typeof contentSchema>;
export type { Card };
export type Inbound = v.InferOutput<typeof inboundSchema>;
export type Message = Extract<Inbound, { kind: 'message' }>;
export type Action = Extract<Inbound, { kind: 'action' }>;
export type Mention = Message['mentions'][number];

/** What a file or a request holds, which others can write too; undefined where it is something else. */
export function valueOf<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | undefined {
  const found = v.safeParse(schema, value);
  return found.success ? found.output : undefined;
}

/** A place where people and bots talk: what docket needs from a vendor, and nothing of the vendor. */
export interface Channel {
  readonly name: string;
  /** Resolves when the message is safe with the vendor; throws a `SendError` that says whether to try again. */
  send(message: Outgoing, signal: AbortSignal): Promise<{ id: string }>;
  /** Listens until the signal; throws when it can never work (wrong secret, port in use). */
  start(listener: Listener, signal: AbortSignal): Promise<void>;
}

/** `key` is the same at every try: the vendor shows what carries it once. */
export interface Outgoing {
  key: string;
  group: string;
  content: Content;
}

/** `toast` is shown to the one who pressed a button; the rest goes to the group. */
export interface Reply {
  toast?: string;
  content?: Content;
}

export interface Listener {
  /** Resolves when the message cannot be lost any more; a vendor delivers again what was not taken. */
  onMessage: (message: Message) => Promise<void>;
  onAction: (action: Action) => Promise<{ toast?: string }>;
  /** For the person who watches the terminal. */
  onNote?: (note: Note) => void;
}

export type Note =
  | { kind: 'ready'; where: string }
  | { kind: 'connection'; state: 'lost' | 'back' }
  | { kind: 'ignored'; why: 'group' | 'own' | 'unreadable'; group: string }
  | { kind: 'refused'; why: string }
  | { kind: 'trouble'; text: string };
