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

export type Content = { kind: 'text'; text: string } | { kind: 'card'; card: Card };

/** A message with buttons. Its texts are shown as they are: no markup, no mentions. */
export interface Card {
  title: string;
  lines: readonly string[];
  buttons: readonly Button[];
}

export interface Button {
  label: string;
  look: 'plain' | 'good' | 'bad';
  press: Press;
}

/** What a button stands for. `times` is the gate's: a click on a card of an earlier round is told from a fresh one. */
export interface Press {
  taskId: string;
  action: string;
  times: number;
}

export interface Speaker {
  openId: string;
  name: string;
  isBot: boolean;
}

export interface Mention {
  openId: string;
  name: string;
}

interface FromGroup {
  /** The vendor's own, the same at every delivery. */
  id: string;
  group: string;
  sender: Speaker;
  /** When it was said, in milliseconds, by the vendor's clock. */
  at: number;
}

export type Message = FromGroup & { kind: 'message'; text: string; mentions: readonly Mention[] };
export type Action = FromGroup & { kind: 'action'; press: Press };
export type Inbound = Message | Action;

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
