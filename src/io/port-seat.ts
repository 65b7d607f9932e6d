import net from 'node:net';
import { codeOf, ioError } from './io-error.ts';

export interface Seat {
  leave(): void;
}

/**
 * Takes a port for this machine, whoever its users are: a socket with a name and no file, which the kernel keeps beside
 * the ports themselves and which ends with its process. Only Linux has them; elsewhere the seat is always free. Undefined:
 * another docket has it.
 */
export function takeSeat(port: number): Promise<Seat | undefined> {
  if (process.platform !== 'linux') return Promise.resolve({ leave: () => undefined });
  const path = `\0docket-port-${port}`;
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy()).unref();
    server.once('error', (error) => {
      if (codeOf(error) === 'EADDRINUSE') resolve(undefined);
      else reject(ioError(error, 'listen', path.slice(1)));
    });
    server.listen({ path, exclusive: true }, () => resolve({ leave: () => void server.close() }));
  });
}
