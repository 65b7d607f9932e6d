import type { Globals } from './parse.ts';
import { colorAllowed, painter, type Paint } from './style.ts';
import type { World } from './world.ts';

/** stdout is data, stderr is talk. With --json stdout gets exactly one value, and talk stays away. */
export class Printer {
  readonly #world: World;
  readonly #globals: Globals;

  constructor(world: World, globals: Globals) {
    this.#world = world;
    this.#globals = globals;
  }

  /** The one answer of a command that succeeded. */
  answer(fields: Record<string, unknown>): void {
    this.#json({ v: 1, ok: true, ...fields });
  }

  /** The same with a long list whose items are JSON already. */
  answerTexts(name: string, texts: readonly string[], fields: Record<string, unknown>): void {
    const rest = JSON.stringify(fields).slice(1);
    this.#world.stdout.write(`{"v":1,"ok":true,${JSON.stringify(name)}:[${texts.join(',')}],${rest}\n`);
  }

  /** The one answer of a command that failed; other fields may come beside the error. */
  refuse(
    error: {
      code: string;
      message: string;
      fix: string;
      commands?: readonly (readonly string[])[];
      data: unknown;
    },
    fields: Record<string, unknown> = {},
  ): void {
    const { code, message, fix, commands = [], data } = error;
    this.#json({ v: 1, ok: false, error: { code, message, fix, commands, data }, ...fields });
  }

  data(text: string): void {
    this.#world.stdout.write(`${text}\n`);
  }

  /** One line of a stream of JSON values. */
  line(value: unknown): void {
    this.#json(value);
  }

  /** Hints and warnings. */
  talk(text: string): void {
    if (!this.#globals.quiet && !this.#globals.json) this.#world.stderr.write(`${text}\n`);
  }

  /** What --quiet does not silence. */
  alarm(text: string): void {
    this.#world.stderr.write(`${text}\n`);
  }

  get paintData(): Paint {
    return painter(colorAllowed(this.#world.stdout, this.#world.env, this.#globals.noColor));
  }

  get paintTalk(): Paint {
    return painter(colorAllowed(this.#world.stderr, this.#world.env, this.#globals.noColor));
  }

  #json(value: unknown): void {
    this.#world.stdout.write(`${JSON.stringify(value)}\n`);
  }
}
