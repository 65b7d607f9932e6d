import type { Writable } from 'node:stream';
import { DocketError } from '../../errors.ts';

/** Our end of an agent's stdin, where it is open at all. */
export class Input {
  readonly #stream: Writable | undefined;
  #failure: Error | undefined;

  constructor(stream: Writable | undefined) {
    this.#stream = stream;
    // An agent may end while we write: whoever sent that text gets the error, nobody else.
    stream?.on('error', (error) => (this.#failure = error));
  }

  send(text: string): Promise<void> {
    const stream = this.#stream;
    if (stream === undefined) return Promise.reject(closed('its stdin is not ours to write to'));
    if (this.#failure) return Promise.reject(closed(this.#failure.message));
    return new Promise((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(closed(error.message, error)) : resolve()));
    });
  }

  end(): void {
    this.#stream?.end();
  }

  /** The process has ended: what it did not read, nobody will. */
  close(): void {
    this.#stream?.destroy();
  }
}

function closed(why: string, cause?: Error): DocketError {
  return new DocketError(
    'IO',
    `the agent no longer reads: ${why}`,
    'wait for its end and start another turn',
    {},
    { cause },
  );
}
