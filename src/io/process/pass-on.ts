import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** Changes bytes that come in pieces, without changing their order. */
export interface Change {
  /** What can be written now. */
  push(piece: Buffer): Buffer;
  /** The last line is a while in coming: what of it can be written before it ends. */
  idle(): Buffer;
  end(): Buffer;
}

/** What the supervisor outlives, this does too: it ends when its program does. */
const outlived: readonly NodeJS.Signals[] = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGALRM',
  'SIGUSR1',
  'SIGUSR2',
  'SIGTERM',
];
const idleMs = 1000;
/** sysexits.h: not all that it said could be written down, so that nobody takes its end for a success. */
const lostOutput = 74;

/**
 * Runs a program with our own stdin, and writes what it says, changed, to our own stdout and stderr. Resolves with its
 * code, as a shell would say it. What it leaves running does not hold us up: when it has ended, what it said is all.
 */
export function passOn([program = '', ...args]: readonly string[], change: () => Change): Promise<number> {
  for (const signal of outlived) process.on(signal, () => undefined);
  const out = new Passage(1, change());
  const err = new Passage(2, change());
  const child = spawn(program, args, { stdio: ['inherit', out.open, err.open] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      const whole = [out, err].map((passage) => passage.finish()).every(Boolean);
      const told = code ?? 128 + (signal === null ? 0 : os.constants.signals[signal]);
      resolve(whole || told !== 0 ? told : lostOutput);
    });
    for (const passage of [out, err]) passage.begin();
  });
}

/** From the program's end of a pipe to a file of ours. */
class Passage {
  /** The end that the program writes to. */
  readonly open: number;
  readonly #from: number;
  readonly #to: number;
  readonly #change: Change;
  #socket: net.Socket | undefined;
  #waiting: NodeJS.Timeout | undefined;
  #isWhole = true;

  constructor(to: number, change: Change) {
    this.#to = to;
    this.#change = change;
    // A pipe with a name, because those of node are sockets: no program can open one again as /dev/stdout.
    const file = path.join(os.tmpdir(), randomBytes(8).toString('hex'));
    execFileSync(mkfifo(), ['-m', '600', file], { stdio: 'ignore' });
    const { O_RDONLY, O_NONBLOCK, O_WRONLY } = fs.constants;
    this.#from = fs.openSync(file, O_RDONLY | O_NONBLOCK);
    this.open = fs.openSync(file, O_WRONLY);
    fs.unlinkSync(file);
  }

  /** The program has its end: ours of that end would keep the pipe open for ever. */
  begin(): void {
    fs.closeSync(this.open);
    this.#socket = new net.Socket({ fd: this.#from, readable: true, writable: false });
    this.#socket.on('data', (piece) => this.#take(piece));
    this.#socket.on('error', () => (this.#isWhole = false));
  }

  /** Takes what is in the pipe now, and nothing that comes later. False: something of it is lost. */
  finish(): boolean {
    this.#socket?.pause();
    for (let piece = this.#rest(); piece.length > 0; piece = this.#rest()) this.#take(piece);
    clearTimeout(this.#waiting);
    this.#write(this.#change.end());
    this.#socket?.destroy();
    return this.#isWhole;
  }

  #rest(): Buffer {
    if (this.#socket?.destroyed !== false) return Buffer.alloc(0);
    const piece = Buffer.allocUnsafe(65_536);
    try {
      return piece.subarray(0, fs.readSync(this.#from, piece));
    } catch {
      return Buffer.alloc(0); // nothing more for now: it is over
    }
  }

  #take(piece: Buffer): void {
    this.#write(this.#change.push(piece));
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => this.#write(this.#change.idle()), idleMs);
  }

  /** A full disk ends the passage, and the program learns of it by its next write. */
  #write(bytes: Buffer): void {
    if (!this.#isWhole) return;
    try {
      for (let at = 0; at < bytes.length;) at += fs.writeSync(this.#to, bytes, at);
    } catch {
      this.#isWhole = false;
      this.#socket?.destroy();
    }
  }
}

/** The system's own, whatever PATH the program is given. */
function mkfifo(): string {
  return ['/usr/bin/mkfifo', '/bin/mkfifo'].find((file) => fs.existsSync(file)) ?? 'mkfifo';
}

/** What whoever started us says on descriptor 3: all of it, or nothing. */
export function toldBefore(): string {
  const text = fs.readFileSync(3, 'utf8');
  fs.closeSync(3);
  return text;
}
