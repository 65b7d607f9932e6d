/**
 * Three values in one file, each behind its length, and two of them behind a checksum: half of a write, what somebody edited,
 * and parts of different writes are told. The bare one has none: whoever takes it compares it with what it was made from.
 */
const headLength = 32;
const sumLength = 16;
const noSum = '-'.repeat(sumLength);
/** Longer ones are nobody's. */
const longest = 64 * 1024 * 1024;

type Read = (start: number, length: number) => Buffer | undefined;

export function packed(first: object, bare: object, last: object): Buffer[] {
  return [...part(first, sumOf), ...part(bare, () => noSum), ...part(last, sumOf)];
}

function part(value: object, sum: (body: Buffer) => string): Buffer[] {
  const body = Buffer.from(JSON.stringify(value));
  return [Buffer.from(`${sum(body)}${String(body.length).padStart(headLength - sumLength)}`), body];
}

/** Undefined: it is none. `last` is read when somebody asks for it. */
export function unpacked(read: Read): { first: unknown; bare: unknown; last: () => unknown } | undefined {
  const first = partAt(0, read, sumOf);
  const bare = first && partAt(first.end, read, () => noSum);
  if (!bare) return undefined;
  // Somebody may have put another file there meanwhile.
  const isSame = () => read(0, sumLength)?.toString('latin1') === first.sum;
  return {
    first: first.value,
    bare: bare.value,
    last: () => (isSame() ? partAt(bare.end, read, sumOf)?.value : undefined),
  };
}

function partAt(
  start: number,
  read: Read,
  sumOfBody: (body: Buffer) => string,
): { value: unknown; sum: string; end: number } | undefined {
  const head = read(start, headLength)?.toString('latin1') ?? '';
  const length = Number(head.slice(sumLength));
  if (head.length !== headLength || !(length > 0 && length < longest)) return undefined;
  const body = read(start + headLength, length);
  const sum = head.slice(0, sumLength);
  if (body?.length !== length || sumOfBody(body) !== sum) return undefined;
  return { value: JSON.parse(body.toString('utf8')), sum, end: start + headLength + length };
}

/** Over whole words, and what is left: to load a library for this takes longer than all of it. */
function sumOf(body: Buffer): string {
  const words = new Int32Array(aligned(body), 0, body.length >> 2);
  let [sum, other] = [body.length, 1];
  for (let at = 0; at < words.length; at += 1) {
    sum = Math.imul(sum ^ (words[at] ?? 0), 0x01000193);
    other = (other + sum) | 0;
  }
  for (let at = words.length * 4; at < body.length; at += 1)
    sum = Math.imul(sum ^ (body[at] ?? 0), 0x01000193);
  return [sum, other].map((one) => (one >>> 0).toString(16).padStart(sumLength / 2, '0')).join('');
}

function aligned({ buffer, byteOffset, length }: Buffer): ArrayBuffer {
  const isWhole = byteOffset === 0 && buffer instanceof ArrayBuffer;
  return isWhole ? buffer : Uint8Array.from(new Uint8Array(buffer, byteOffset, length)).buffer;
}
