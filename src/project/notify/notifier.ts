import { messageOf } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import type { Masker } from '../../render/masker.ts';
import type { Config } from '../../settings/config.ts';
import type { Watched } from '../../settings/project.ts';
import { changeBook } from './book-file.ts';
import { composed, noticed, textOf, type Message, type Pace } from './book.ts';
import { handOn, post, show, waysOf, type NotifyWhere, type Settings } from './channels.ts';
import { type Want, wantsIn } from './wants.ts';

const usual = { digestSeconds: 60, coolDownSeconds: 3600 };

/** Tells people that they are needed: once, together, and only when something needs them. */
export class Notifier {
  readonly #where: NotifyWhere;
  readonly #settings: Settings;
  readonly #masker: Masker;
  readonly #pace: Pace;

  constructor(where: NotifyWhere, settings: Settings, masker: Masker) {
    this.#where = where;
    this.#settings = settings;
    this.#masker = masker;
    const { digestSeconds, coolDownSeconds } = { ...usual, ...settings };
    this.#pace = { digestMs: digestSeconds * 1000, coolDownMs: coolDownSeconds * 1000 };
  }

  /** Undefined: nobody could be reached from here. */
  static for(where: NotifyWhere, config: Config, masker: Masker): Notifier | undefined {
    const settings = config.notify ?? {};
    return waysOf(settings, where).length === 0 ? undefined : new Notifier(where, settings, masker);
  }

  /**
   * Takes note of what needs a person, and tells what is due. The message is on disk before anybody is told, and stays
   * there until the boxes have it: killed anywhere, those say it under the same key, and a bell that may have rung does
   * not ring again. `last`: nobody looks after this.
   */
  async look(wants: readonly Want[], last: boolean, signal: AbortSignal): Promise<void> {
    const { root, clock } = this.#where;
    const now = clock.now();
    const masked = this.#masker.value(wants);
    const mine = new Set<string>();
    const book = await changeBook(root, (before) => {
      const after = composed(noticed(before, masked, now, this.#pace), now, this.#pace, last);
      for (const { id } of after.made.slice(before.made.length)) mine.add(id);
      return after;
    });
    for (const message of book.made) await this.#tell(message, mine.has(message.id));
    await post(this.#settings, this.#where, signal);
  }

  async #tell(message: Message, isMine: boolean): Promise<void> {
    await handOn(message, this.#settings, this.#where, this.#masker);
    await changeBook(this.#where.root, (book) => {
      const made = book.made.filter(({ id }) => id !== message.id);
      return made.length === book.made.length ? book : { ...book, made };
    });
    if (isMine) show(textOf(message.wants), this.#settings, this.#where);
  }
}

const everyMs = 5_000;
/** Runs of this process, by root: the last of them has to tell what is left. */
const going = new Map<string, number>();

/**
 * A run, and whoever has to be told what it needs: while it goes on, because gates open in its midst, and at its end. A
 * message that cannot be sent fails no work: it is told as a warning, and tried again by the next docket.
 */
export async function notified<T>(
  where: NotifyWhere & { warn?: (warning: string) => void },
  { kind, config, masking, look }: Watched,
  run: () => Promise<T>,
): Promise<T> {
  const notifier = Notifier.for(where, config, masking);
  if (!notifier) return run();
  const since = where.clock.now();
  const never = new AbortController();
  const once = async (last: boolean): Promise<void> => {
    try {
      await notifier.look(wantsIn(kind, await look(), since), last, never.signal);
    } catch (error) {
      where.warn?.(
        fix`nobody could be told what needs a person: ${messageOf(error)} (${command`notify status`})`.text,
      );
    }
  };
  const { root } = where;
  const count = (more: 1 | -1): number => {
    const left = (going.get(root) ?? 0) + more;
    going.set(root, left);
    return left;
  };
  count(1);
  let looking = Promise.resolve();
  const timer = setInterval(() => void (looking = looking.then(() => once(false))), everyMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
    await looking;
    await once(count(-1) === 0);
  }
}
