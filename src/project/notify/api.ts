/** How people hear that they are needed. */
export interface Notices {
  /** Sends one message by every way that is set up. */
  test(): Promise<Tried[]>;
  /** What was told and what could not be. Takes no lock and makes nothing. */
  status(): Promise<NotifyStatus>;
}

export interface Tried {
  way: 'terminal' | 'desktop' | 'webhook' | 'chat';
  ok: boolean;
  /** What happened to it, or what is missing. */
  text: string;
}

export interface NotifyStatus {
  /** By which ways people are told from here. */
  ways: readonly Tried['way'][];
  /** What waits to be told with others. */
  waiting: readonly { key: string; text: string; since: string }[];
  /** The latest last. */
  told: readonly { key: string; at: string }[];
  /** What the webhook has not taken yet, or never will. */
  webhook: { waiting: readonly Unsent[]; dead: readonly Unsent[] };
}

export interface Unsent {
  key: string;
  text: string;
  tries: number;
  why?: string;
}
