/** Tokens of one answer. `input` counts all of them, `cached` is the part of it that came from a cache. */
export interface Tokens {
  input: number;
  cached: number;
  output: number;
}

/** What the model wants done, in words that every CLI has a tool for. */
export type Action =
  | { write: { path: string; content: string } }
  | { edit: { path: string; old: string; new: string } }
  | { shell: string };

/** One request of a turn: what the model answers to it. */
export type Step = {
  /** `{{seen}}` becomes the markers of all user messages that arrived, so an answer tells what history was sent. */
  text?: string;
  /** Tool calls, in one model turn. */
  do?: readonly Action[];
  /** The answer to a JSON schema: by the tool that a CLI offers for it, else as text. */
  structured?: Readonly<Record<string, unknown>>;
  /** An HTTP error instead of an answer. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Only the first n requests meet the error; the others get `after`. */
  times?: number;
  after?: Step;
  /** Never an answer. */
  hang?: true;
  /** The stream begins and ends in the middle: with the wire's own word for an overload, or by a cut line. */
  dies?: 'overloaded' | 'cut';
  delayMs?: number;
  tokens?: Partial<Tokens>;
};

/** What `[[name]]` in a prompt stands for: one step per model request of that turn; the last one repeats. */
export type Scenario = Readonly<Record<string, readonly Step[]>>;

export const usualTokens: Tokens = { input: 100, cached: 0, output: 10 };
