import type { TreeUse } from './table.ts';

/** Why docket itself ended a process. */
export type StopReason = 'canceled' | 'timeout' | 'stall' | 'output' | 'shutdown';

/** How it ended. `code` is what a shell would say: 128 + n after signal n. Undefined: nobody was there to see it. */
export interface Exit {
  code?: number;
  stopped?: StopReason;
}

/** A line of output. `cut`: it was longer than a line may be; `text` is its beginning, `cut` its length in bytes. */
export interface Line {
  text: string;
  cut?: number;
}

/** A child whose output goes to files that outlive us. Lines can be read from the first one at any time. */
export interface AgentProcess {
  /** Whether this docket started it; else it was found running, or ended, after a restart. */
  readonly adopted: boolean;
  /** All lines of stdout, from the beginning, until the process has ended. */
  lines(): AsyncIterable<Line>;
  /** Only where stdin is open. Rejects when the process no longer reads. */
  send(text: string): Promise<void>;
  endInput(): void;
  readonly exited: Promise<Exit>;
  /** The end of stderr, as text. */
  stderrTail(): string;
  /** When output last grew, in milliseconds of performance.now(). */
  lastOutput(): number;
  /** What its whole tree has used by now: of the processor, and by reading and writing. */
  use(): Promise<TreeUse>;
  /**
   * SIGINT to its group, as by a person's Ctrl-C. If it ends now, it was stopped for a stall; if it goes on, the function
   * that this resolves to takes that back.
   */
  interrupt(): Promise<() => void>;
  /** Whether somebody has asked for its end. What it says from then on, it may say because of that. */
  isStopping(): boolean;
  /** SIGTERM, grace, SIGKILL to the whole tree, then a sweep by our mark. Resolves when nothing is left. */
  stop(reason: StopReason): Promise<Exit>;
}

/** Keeps secrets out of what is written down of a process. */
export interface OutputMask {
  /** Of what docket itself writes down about it. */
  text(text: string): string;
  /**
   * A program that starts the agent's and passes on what it says, masked; it hears `told` on descriptor 3. Absent:
   * nothing is known that would have to be masked, and the agent writes to its files itself.
   */
  through?: { argv: readonly string[]; told: string };
}

export interface Limits {
  maxLineBytes?: number;
  maxOutputBytes?: number;
  maxOutputLines?: number;
  graceMs?: number;
}

export interface ProcessSpec extends Limits {
  argv: readonly string[];
  cwd: string;
  /** Complete: nothing else of our own environment reaches the child but what `startProcess` adds itself. */
  env: Readonly<Record<string, string>>;
  /** A text to read and then the end, or a conversation. */
  stdin: { text: string } | 'open';
  /** Exists and is ours: events.jsonl, stderr.log, prompt, start.json, pid, exit.json go here. */
  dir: string;
  /** Unique to this attempt; every descendant carries it as DOCKET_MARK. */
  mark: string;
  mask?: OutputMask;
}
