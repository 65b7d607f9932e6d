import { gzipSync } from 'node:zlib';

/** A tar made by hand: what no well-behaved program writes, and what every one does. */
export interface TarEntry {
  name: string;
  /** The type flag: 0 file, 1 hard link, 2 symlink, 3 and 4 devices, 5 folder, 6 pipe, x and g extended headers. */
  type?: string;
  body?: string | Buffer;
  link?: string;
  /** What the header says instead of the body's length. */
  size?: number;
}

export function tarOf(entries: readonly TarEntry[], end = Buffer.alloc(1024)): Buffer {
  return Buffer.concat([...entries.flatMap(blocksOf), end]);
}

export function tarGzOf(entries: readonly TarEntry[]): Buffer {
  return gzipSync(tarOf(entries));
}

/** An extended header that gives the next entry this path. */
export function paxPath(name: string): TarEntry {
  const field = ` path=${name}\n`;
  const short = Buffer.byteLength(field);
  const length = short + (short + 2 < 100 ? 2 : 3);
  return { name: 'pax', type: 'x', body: `${length}${field}` };
}

function blocksOf({ name, type = '0', body = '', link = '', size }: TarEntry): Buffer[] {
  const bytes = Buffer.from(body);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100, 'utf8');
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write(link, 157, 100, 'utf8');
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
}
