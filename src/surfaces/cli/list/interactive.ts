import type { Task } from '../../../task/schema.ts';
import type { Status } from '../../../task/status.ts';
import { entryFor, loadCommand } from '../frame/commands.ts';
import { type Context, makeContext, withDocket } from '../frame/context.ts';
import { nameOf } from '../frame/name.ts';
import { taskRows } from '../frame/rows.ts';
import { columnsOf, painter } from '../frame/style.ts';
import { cut, visible } from '../frame/visible.ts';
import type { World } from '../frame/world.ts';

/** These cannot be taken back as easily as they are done. */
const grave: ReadonlySet<string> = new Set(['cancel', 'delete', 'merge', 'pr']);

/** Choose a task, then what to do with it; the command is the one that could be typed. Again, until somebody leaves. */
export async function listInteractively(
  context: Context,
  query: { status?: readonly Status[] },
): Promise<number> {
  const { world, out } = context;
  const { actionsFor } = await import('../../../project/tasks/act.ts');
  const menu = new Menu(world);
  try {
    for (let at = 0; ;) {
      const { tasks, waits } = await withDocket(context, (docket) => docket.list(query));
      const shown = tasks.filter(({ archivedAt }) => archivedAt === undefined);
      if (shown.length === 0) {
        out.talk('There is no task to choose.');
        return 0;
      }
      const look = { waits, now: world.now(), columns: 1000, heading: false, paint: painter(false) };
      const chosen = await menu.choose('Tasks', taskRows(shown, look).split('\n'), at);
      const task = typeof chosen === 'number' ? shown[chosen] : undefined;
      if (typeof chosen !== 'number' || !task) return 0;
      at = chosen;
      if ((await steer(task, actionsFor(task), menu, context)) === 'quit') return 0;
    }
  } finally {
    await menu.close();
  }
}

async function steer(
  task: Task,
  actions: readonly string[],
  menu: Menu,
  context: Context,
): Promise<'quit' | undefined> {
  const name = visible(nameOf(task));
  const known = actions.filter((action) => action !== 'run' && entryFor([action]));
  const chosen = await menu.choose(`${name} (${task.status}): ${visible(task.title)}`, known);
  if (typeof chosen !== 'number') return chosen === 'quit' ? 'quit' : undefined;
  const action = known[chosen] ?? '';
  if (grave.has(action) && (await menu.choose(`${action} ${name}?`, ['no', 'yes'])) !== 1) return undefined;
  await perform(action, task, context);
  return (await menu.choose('', ['back to the tasks', 'leave'])) === 0 ? undefined : 'quit';
}

/** What goes wrong in a command is told as if it had been typed, and the list goes on. */
async function perform(action: string, task: Task, { world, globals, out }: Context): Promise<void> {
  const entry = entryFor([action]);
  try {
    const command = entry && (await loadCommand(entry));
    await command?.run(makeContext(world, globals, { operands: [task.id], options: new Map(), unknown: [] }));
  } catch (error) {
    const { printFailure, toFailure } = await import('../frame/failure.ts');
    printFailure(toFailure(error, Boolean(world.env['DOCKET_DEBUG'])), out, false);
  }
}

/** More rows are looked at through a window. */
const mostRows = 15;
const hint = 'arrows or a number, Enter to choose, Esc to go back, q to leave';

/** A list to choose from, drawn on stderr: stdout stays what commands answer. */
export class Menu {
  readonly #world: World;
  readonly #input: AsyncIterator<Uint8Array | string>;
  #waiting: Key[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#input = world.stdin[Symbol.asyncIterator]();
  }

  /** The index of the one that was chosen. */
  async choose(title: string, rows: readonly string[], start = 0): Promise<number | 'back' | 'quit'> {
    this.#world.stdin.setRawMode?.(true);
    let at = Math.min(start, rows.length - 1);
    let typed = 0;
    let drawn = 0;
    try {
      for (;;) {
        drawn = this.#draw(title, rows, at, drawn);
        const key = await this.#key();
        if (key === 'back' || key === 'quit') return key;
        if (key === 'enter') return at;
        if (typeof key === 'object') {
          typed = typed * 10 + key.digit <= rows.length ? typed * 10 + key.digit : key.digit;
          if (typed >= 1 && typed <= rows.length) at = typed - 1;
        } else {
          typed = 0;
          at = (at + (key === 'up' ? rows.length - 1 : 1)) % rows.length;
        }
      }
    } finally {
      this.#world.stdin.setRawMode?.(false);
      this.#erase(drawn);
    }
  }

  /** Nothing more is read: without this the terminal would keep the process alive. */
  async close(): Promise<void> {
    await this.#input.return?.();
  }

  async #key(): Promise<Key> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) return next;
      const { value, done } = await this.#input.next();
      if (done) return 'quit'; // the terminal is gone
      this.#waiting = keysIn(String(value));
    }
  }

  #draw(title: string, rows: readonly string[], at: number, drawn: number): number {
    const { stderr, env } = this.#world;
    this.#erase(drawn);
    const from = Math.max(0, Math.min(at - Math.floor(mostRows / 2), rows.length - mostRows));
    const shown = rows.slice(from, from + mostRows).map((row, index) => {
      const place = from + index;
      return `${place === at ? '>' : ' '} ${String(place + 1).padStart(String(rows.length).length)}  ${row}`;
    });
    const lines = [title, ...shown, hint].map((line) => cut(line, columnsOf(stderr, env) - 1));
    stderr.write(`${lines.join('\n')}\n`);
    return lines.length;
  }

  #erase(lines: number): void {
    if (lines > 0) this.#world.stderr.write(`\u001B[${lines}A\u001B[J`);
  }
}

export type Key = 'up' | 'down' | 'enter' | 'back' | 'quit' | { digit: number };

const escape = '\u001B';
const named: Readonly<Record<string, Key>> = {
  [`${escape}[A`]: 'up',
  [`${escape}OA`]: 'up',
  k: 'up',
  [`${escape}[B`]: 'down',
  [`${escape}OB`]: 'down',
  j: 'down',
  '\r': 'enter',
  '\n': 'enter',
  [`${escape}[D`]: 'back',
  [escape]: 'back',
  q: 'quit',
  '\u0003': 'quit',
  '\u0004': 'quit',
};

/** The keys in what a terminal sent. Other keys, and sequences that mean nothing here, are left out. */
export function keysIn(sent: string): Key[] {
  const pressed = sent.match(sequences) ?? [];
  return pressed.flatMap((one): Key[] => {
    if (/^\d$/.test(one)) return [{ digit: Number(one) }];
    const key = Object.hasOwn(named, one) ? named[one] : undefined;
    return key === undefined ? [] : [key];
  });
}

// oxlint-disable-next-line no-control-regex -- they are what a terminal sends
const sequences = /\u001B(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])?|[\s\S]/gu;
