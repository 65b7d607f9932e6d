import { createHash } from 'node:crypto';
import net from 'node:net';
import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { makeDir } from '../files.ts';
import { codeOf, ioError } from '../io-error.ts';
import { bestLockKind, type Mutex, openMutex } from '../lock.ts';
import { processTable } from './table.ts';

/** Both ends belong to it. */
export type PortRange = readonly [first: number, last: number];

/** Below what systems give away by themselves to whoever asks for any port. */
export const usualPorts: PortRange = [20_000, 29_999];

export interface PortWish {
  /** Names that each get a port of their own. */
  names: readonly string[];
  range: PortRange;
  /** Who asks: the same one is offered the same ports. */
  owner: string;
  /** What it had the last time; taken again where it is free. */
  before?: Readonly<Record<string, number>>;
}

/** Others have them all: when one of those ends, there is one again. */
export class NoPortFree extends DocketError {}

export interface PortLease {
  ports: Record<string, number>;
  /** For all that is to use them. */
  variables: Record<string, string>;
  release(): void;
}

/**
 * Ports that no other docket has, that nothing was given which still runs, and that nobody listens at now. Each is held
 * by a lock of its own in `folder`, for this user, and by a seat, for the machine: so a lease ends with its process,
 * however that ends.
 */
export async function leasePorts(folder: string, wish: PortWish): Promise<PortLease> {
  const held: Held[] = [];
  const release = (): void => held.splice(0).forEach(giveBack);
  makeDir(folder);
  try {
    const ports: Record<string, number> = {};
    for (const name of wish.names) {
      const one = await leased(folder, name, wish);
      held.push(one);
      ports[name] = one.port;
    }
    return { ports, variables: portVariables(wish.owner, ports), release };
  } catch (error) {
    release();
    throw error;
  }
}

interface Held {
  port: number;
  lock: Mutex;
  seat: Seat;
}

async function leased(folder: string, name: string, wish: PortWish): Promise<Held> {
  for (const port of candidates(name, wish)) {
    const lock = openMutex(path.join(folder, `${port}.lock`), bestLockKind());
    let seat: Seat | undefined;
    try {
      if (!lock.tryLock()) continue;
      seat = await seatAt(port, wish.owner);
      if (!seat) lock.unlock();
    } finally {
      if (!seat) lock.close();
    }
    if (!seat) continue;
    lock.sign(`${wish.owner} ${name}\n`);
    return { port, lock, seat };
  }
  const { range, names } = wish;
  const [first, last] = range;
  const isEnough = last - first + 1 >= names.length;
  const NoPort = isEnough ? NoPortFree : DocketError;
  throw new NoPort(
    'REFUSED',
    `no port from ${first} to ${last} is free for ${name}`,
    isEnough
      ? 'run fewer tasks at once, or give setup.portRange more room'
      : `give setup.portRange room for ${names.length} ports`,
    { name, range: [first, last] },
  );
}

/** The last one first, then from a place of its own onwards: tasks rarely meet, and find their ports again. */
function* candidates(name: string, { range: [first, last], owner, before = {} }: PortWish): Iterable<number> {
  const known = before[name];
  if (known !== undefined && Number.isInteger(known) && known >= first && known <= last) yield known;
  const size = last - first + 1;
  const start = createHash('sha256').update(`${owner}\0${name}`).digest().readUInt32BE() % size;
  for (let at = 0; at < size; at += 1) yield first + ((start + at) % size);
}

/** A task that goes on has its port again, also when its agent listens there since before docket died. */
async function seatAt(port: number, owner: string): Promise<Seat | undefined> {
  const user = userOf(port, owner);
  if (user === 'another' || (user === 'nobody' && !(await isFree(port)))) return undefined;
  return takeSeat(port);
}

/** A lock says nothing about programs that are not ours. */
async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    // Without IPv6 there is no such address, and so nobody at it.
    server.once('error', (error) => resolve(['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error) ?? '')));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function giveBack({ lock, seat }: Held): void {
  seat.leave();
  try {
    lock.unlock();
  } finally {
    lock.close();
  }
}

/** Set for all that may use leased ports: by it they are known when the docket that leased them is gone. */
const variable = 'LEASED_PORTS';

function portVariables(owner: string, ports: Readonly<Record<string, number>>): Record<string, string> {
  const named = Object.entries(ports).map(([name, port]) => [name, String(port)]);
  const numbers = Object.values(ports);
  if (numbers.length > 0) named.push([variable, `${keyOf(owner)}:${numbers.join(',')}`]);
  return Object.fromEntries(named) as Record<string, string>;
}

/**
 * Whose processes, of those that run now, were given this port. A lease ends with its docket, and an agent may outlive
 * that.
 */
function userOf(port: number, owner: string): 'nobody' | 'owner' | 'another' {
  const users = processTable()
    .flatMap((row) => row.values(variable))
    .filter((value) => value.split(/[:,]/).slice(1).includes(String(port)));
  if (users.length === 0) return 'nobody';
  return users.every((value) => value.startsWith(`${keyOf(owner)}:`)) ? 'owner' : 'another';
}

function keyOf(owner: string): string {
  return createHash('sha256').update(owner).digest('hex').slice(0, 16);
}

interface Seat {
  leave(): void;
}

/**
 * Takes a port for this machine, whoever its users are: a socket with a name and no file, which the kernel keeps beside
 * the ports themselves and which ends with its process. Only Linux has them; elsewhere the seat is always free. Undefined:
 * another docket has it.
 */
function takeSeat(port: number): Promise<Seat | undefined> {
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
