import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The server's end of a WebSocket: whole binary messages, as the vendor's client sends and takes them. */
export class ServerSocket {
  readonly #socket: Duplex;
  #left = Buffer.alloc(0);

  constructor(request: IncomingMessage, socket: Duplex, onMessage: (message: Buffer) => void) {
    this.#socket = socket;
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.on('data', (chunk: Buffer) => {
      this.#left = Buffer.concat([this.#left, chunk]);
      for (let message = this.#next(); message; message = this.#next())
        if (message.opcode === 2) onMessage(message.data);
        else if (message.opcode === 8) socket.end();
    });
  }

  send(data: Buffer): void {
    const length = data.length < 126 ? [data.length] : [127, 0, 0, 0, 0, ...uint32(data.length)];
    this.#socket.write(Buffer.concat([Buffer.from([0x82, ...length]), data]));
  }

  drop(): void {
    this.#socket.destroy();
  }

  #next(): { opcode: number; data: Buffer } | undefined {
    const buffer = this.#left;
    if (buffer.length < 2) return undefined;
    const short = buffer[1]! & 0x7f;
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (buffer.length < 6 + extra) return undefined;
    const length = short < 126 ? short : Number(BigInt(`0x${buffer.toString('hex', 2, 2 + extra)}`));
    const from = 6 + extra;
    if (buffer.length < from + length) return undefined;
    const mask = buffer.subarray(from - 4, from);
    const data = Buffer.from(buffer.subarray(from, from + length)).map(
      (byte, index) => byte ^ mask[index % 4]!,
    );
    this.#left = buffer.subarray(from + length);
    return { opcode: buffer[0]! & 0x0f, data: Buffer.from(data) };
  }
}

function uint32(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
}
