import { askPerson } from '../frame/ask.ts';
import type { Context } from '../frame/context.ts';
import { Printer } from '../frame/printer.ts';
import { columnsOf } from '../frame/style.ts';
import { displayWidth } from '../frame/visible.ts';
import type { Sink, World } from '../frame/world.ts';
import { liveLines } from './lines.ts';
import { liveAfter, type LiveChange, liveState, type LiveState } from './state.ts';

const drawMs = 100;
/** Elapsed times go on also while nothing happens. */
const idleMs = 1000;
const usualHeight = 24;

/** Where somebody watches a terminal that can do it; else everything is told in plain lines. */
function openLive(context: Context): Live | undefined {
  const { world, globals, args } = context;
  const { stderr, env } = world;
  if (stderr.isTTY !== true || globals.quiet || globals.json || args.options.has('no-live')) return undefined;
  if (globals.noColor || env['NO_COLOR'] || env['TERM'] === 'dumb') return undefined;
  return env['CI'] && env['CI'] !== 'false' ? undefined : new Live(context);
}

/** The lines at the bottom of the terminal that say what runs. All that is printed meanwhile scrolls up above them. */
export class Live {
  /** Whatever prints through this one makes room for itself. */
  readonly context: Context;
  readonly #world: World;
  readonly #screen = new Screen();
  readonly #quit: () => void;
  #state: LiveState;
  #dirty = true;
  #drawnAt = -Infinity;
  #pauses = 0;

  constructor(context: Context) {
    const { world, globals } = context;
    this.#world = world;
    this.#state = liveState(world.now());
    const { stdout, stderr } = world;
    const own: World = Object.create(world, {
      stdout: { value: this.#making(stdout) },
      stderr: { value: this.#making(stderr) },
    });
    this.context = { ...context, world: own, out: new Printer(own, globals) };
    this.#quit = world.every(drawMs, () => this.#tick());
  }

  tell(change: LiveChange): void {
    this.#state = liveAfter(this.#state, change);
    this.#dirty = true;
  }

  /** While a person is asked nothing is drawn over what they type. */
  async quietly<T>(ask: () => Promise<T>): Promise<T> {
    this.#pauses += 1;
    this.#clear();
    try {
      return await ask();
    } finally {
      this.#pauses -= 1;
    }
  }

  close(): void {
    this.#quit();
    this.#clear();
  }

  #tick(): void {
    const now = this.#world.now();
    if (this.#pauses > 0 || (!this.#dirty && now - this.#drawnAt < idleMs)) return;
    this.#dirty = false;
    this.#drawnAt = now;
    const { stderr } = this.#world;
    const view = { now, columns: this.#columns, height: stderr.rows ?? usualHeight };
    const lines = liveLines(this.#state, { ...view, paint: this.context.out.paintTalk });
    const bytes = this.#screen.frame(lines, view.columns);
    if (bytes !== '') stderr.write(bytes);
  }

  get #columns(): number {
    return columnsOf(this.#world.stderr, this.#world.env);
  }

  #clear(): void {
    const bytes = this.#screen.clear(this.#columns);
    if (bytes !== '') this.#world.stderr.write(bytes);
    this.#dirty = true;
  }

  #making(sink: Sink): Sink {
    const write = (text: string) => {
      this.#clear();
      return sink.write(text);
    };
    return Object.create(sink, { write: { value: write } }) as Sink;
  }
}

/** What work that is watched gets. */
export interface Watched {
  /** To print through: above the live lines, where there are some. */
  shown: Context;
  live?: Live;
  ask?: NonNullable<ReturnType<typeof askPerson>>;
}

/** Shows what runs while `work` goes on, and leaves the terminal as it was however that ends. */
export async function withLive<T>(
  context: Context,
  work: (watched: Watched) => Promise<T>,
  isWanted = true,
): Promise<T> {
  const live = isWanted ? openLive(context) : undefined;
  const shown = live?.context ?? context;
  const asks = askPerson(shown);
  const ask: Watched['ask'] = asks && live ? (question) => live.quietly(() => asks(question)) : asks;
  try {
    return await work({ shown, ...(live && { live }), ...(ask && { ask }) });
  } finally {
    live?.close();
  }
}

const escape = '\u001B';
// oxlint-disable-next-line no-control-regex -- the colours that we painted it with
const colours = /\u001B\[\d*m/g;

/**
 * A few lines that are written over in place. The cursor always waits at the beginning of the line below them and is
 * never hidden: whoever ends us, also with SIGKILL, leaves a terminal in which the next prompt is where it should be.
 */
export class Screen {
  #lines: readonly string[] = [];

  /** What makes the terminal show these lines: from the first on that is another. '': it does already. */
  frame(lines: readonly string[], columns: number): string {
    const changed = lines.findIndex((line, at) => line !== this.#lines[at]);
    const from = changed < 0 ? lines.length : changed;
    const bytes = `${back(this.#lines.slice(from), columns)}${lines
      .slice(from)
      .map((line) => `${line}\n`)
      .join('')}`;
    this.#lines = lines;
    return bytes;
  }

  /** What takes them away again. */
  clear(columns: number): string {
    return this.frame([], columns);
  }
}

/** To the beginning of these lines, which are taken away. A terminal that became narrower has wrapped them meanwhile. */
function back(lines: readonly string[], columns: number): string {
  const widths = lines.map((line) => displayWidth(line.replaceAll(colours, '')));
  const rows = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
  return rows === 0 ? '' : `\r${escape}[${rows}A${escape}[J`;
}
