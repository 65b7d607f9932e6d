import { DocketError } from '../../errors.ts';
import type { Source } from './world.ts';

const longestText = 16 * 1024 * 1024;

/** All of stdin as text. It must be UTF-8 and end some day: what a person meant is neither guessed nor cut. */
export async function readStdin(stdin: Source, maxBytes = longestText): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > maxBytes) {
      throw new DocketError('TOO_LARGE', `stdin is larger than ${maxBytes} bytes`, 'give a shorter text', {
        maxBytes,
      });
    }
    chunks.push(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new DocketError('INVALID', 'stdin is not UTF-8 text', 'convert it to UTF-8 first', {}, { cause });
  }
}
