import { briefOf, idOf, jsonOf, type Brief } from './brief.ts';

/** The tasks of a checkpoint as the bytes of their lines. Nothing of a line is looked at before somebody asks for it. */
export class Shelf {
  readonly ids: readonly string[];
  /** So many of them, from the first, are active; the lines of those that somebody works on come before the others. */
  readonly active: number;
  readonly #body: Buffer;
  readonly #sizes: readonly number[];
  #starts: Float64Array | undefined;

  /** `ids` and `sizes` are what the header says of the lines; an older docket said nothing, and they are counted. */
  constructor(body: Buffer, active: number, ids?: readonly string[], sizes?: readonly number[]) {
    this.#body = body;
    this.active = active;
    const lines = ids && sizes ? undefined : linesOf(body);
    this.#sizes = sizes ?? lines?.map((line) => Buffer.byteLength(line)) ?? [];
    this.ids = ids ?? lines?.map(idOf) ?? [];
  }

  line(index: number): string {
    this.#starts ??= startsOf(this.#sizes);
    const start = this.#starts[index] ?? 0;
    return this.#body.toString('utf8', start, start + (this.#sizes[index] ?? 0));
  }

  json(index: number): string {
    return jsonOf(this.line(index));
  }

  /** Undefined: the line says nothing before its JSON. */
  brief(index: number): Brief | undefined {
    this.#starts ??= startsOf(this.#sizes);
    const start = this.#starts[index] ?? 0;
    // The time that stands before the JSON is never longer than this.
    const head = this.#body.toString('latin1', start, start + Math.min(48, this.#sizes[index] ?? 0));
    return briefOf(this.ids[index] ?? '', head);
  }
}

function startsOf(sizes: readonly number[]): Float64Array {
  const starts = new Float64Array(sizes.length);
  let at = 0;
  for (let index = 0; index < sizes.length; index += 1) {
    starts[index] = at;
    at += (sizes[index] ?? 0) + 1;
  }
  return starts;
}

function linesOf(body: Buffer): string[] {
  return body.length === 0 ? [] : body.toString('utf8').split('\n');
}
