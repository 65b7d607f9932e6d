import { isUtf8 } from 'node:buffer';
import { DocketError } from '../errors.ts';
import { noFile } from '../errors/no-file.ts';
import { readNamed, sizeAndInode } from '../io/files.ts';

const longestText = 16 * 1024 * 1024;

/** The text of a file that a person named. */
export async function readText(file: string, longest = longestText): Promise<string> {
  const data = { path: file };
  const size = sizeAndInode(file)?.size;
  if (size === undefined) throw noFile(file);
  if (size > longest) {
    throw new DocketError(
      'TOO_LARGE',
      `${file} has ${size} bytes; it may have ${longest}`,
      'shorten it: keep the long part in a file of the repository and name that file in the text',
      data,
    );
  }
  const bytes = readNamed(file) ?? Buffer.alloc(0);
  if (!isUtf8(bytes))
    throw new DocketError(
      'BAD_FILE',
      `${file} is not valid UTF-8`,
      `save it as UTF-8, or convert it: iconv -f LATIN1 -t UTF-8 ${file}`,
      data,
    );
  return bytes.toString('utf8');
}
