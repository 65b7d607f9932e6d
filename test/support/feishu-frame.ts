/** The vendor's frame on the long connection, in protocol buffers: four numbers, headers, a payload. */
export interface Frame {
  service: number;
  /** 0: control, 1: data. */
  method: number;
  headers: Record<string, string>;
  payload: Buffer;
}

export function encodeFrame({ service, method, headers, payload }: Frame): Buffer {
  const parts = [number(1, 1), number(2, 1), number(3, service), number(4, method)];
  for (const [key, value] of Object.entries(headers))
    parts.push(bytes(5, Buffer.concat([bytes(1, Buffer.from(key)), bytes(2, Buffer.from(value))])));
  return Buffer.concat([...parts, bytes(8, payload)]);
}

export function decodeFrame(buffer: Buffer): Frame {
  const frame: Frame = { service: 0, method: 0, headers: {}, payload: Buffer.alloc(0) };
  for (const { field, value } of fieldsOf(buffer)) {
    if (field === 3) frame.service = Number(value);
    if (field === 4) frame.method = Number(value);
    if (field === 8) frame.payload = value as Buffer;
    if (field !== 5) continue;
    const [key, text] = fieldsOf(value as Buffer).map((part) => String(part.value));
    frame.headers[key!] = text ?? '';
  }
  return frame;
}

function fieldsOf(buffer: Buffer): { field: number; value: number | Buffer }[] {
  const found: { field: number; value: number | Buffer }[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = buffer[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < buffer.length) {
    const tag = varint();
    const value = varint();
    if ((tag & 7) === 2) found.push({ field: tag >> 3, value: buffer.subarray(at, (at += value)) });
    else found.push({ field: tag >> 3, value });
  }
  return found;
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varintOf(field << 3), varintOf(value)]);
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([varintOf((field << 3) | 2), varintOf(value.length), value]);
}

function varintOf(value: number): Buffer {
  const found: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) found.push((rest & 0x7f) | 0x80);
  return Buffer.from([...found, rest]);
}
