// The reader of a page: a shell in the empty home of a new user, with `docket` on the PATH. Nothing of it stays.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin', import.meta.url));
const patienceMs = 60_000;
const graceMs = 10_000;
const shownHome = '/home/ann';

export class Reader {
  #folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'docket-tutorial-')));
  #home = path.join(this.#folder, 'ann');
  /** A script that brings a new shell to where the last one was. */
  #memory = path.join(this.#folder, 'memory.sh');
  #cwd = this.#home;
  #env = {
    PATH: [bin, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: this.#home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_PAGER: 'cat',
  };
  #shell;
  #ended;
  #left;

  constructor() {
    fs.mkdirSync(this.#home);
    fs.writeFileSync(this.#memory, '');
  }

  write({ line, name, text }) {
    const file = path.resolve(this.#cwd, name);
    if (!file.startsWith(this.#home + path.sep)) throw new Error(`${line}: ${name} is outside of the home`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, `${text}\n`);
  }

  /** What it printed, with the reader's home by a name that is the same everywhere. */
  async run({ line, code }) {
    const place = path.join(this.#folder, 'place');
    const keep = `{ export -p; printf "cd '%s'\\n" "$PWD"; } > '${this.#memory}'\npwd > '${place}'`;
    const { printed, status } = await this.#sh(`. '${this.#memory}'\n${code}\n${keep}`);
    const text = printed.replaceAll(this.#home, shownHome).trimEnd();
    if (status !== 0) throw new Error(`${line}: a command ended with ${status}; it printed:\n${text}`);
    this.#cwd = fs.readFileSync(place, 'utf8').trimEnd();
    return text;
  }

  /** To a file, not a pipe: the lines of stdout and stderr stay in their order, and nobody waits for who runs behind. */
  async #sh(script) {
    const log = path.join(this.#folder, 'printed');
    const fd = fs.openSync(log, 'w');
    const options = { cwd: this.#cwd, env: this.#env, stdio: ['ignore', fd, fd], detached: true };
    const shell = spawn('sh', ['-e', '-c', script], options);
    const timer = setTimeout(() => void this.#stop(), patienceMs);
    this.#ended = new Promise((resolve, reject) => {
      shell.once('error', reject).once('exit', (code, signal) => {
        signalGroup(shell.pid, 'SIGKILL'); // nothing goes on in the background behind a block
        resolve(code ?? signal);
      });
    });
    this.#shell = shell;
    const status = await this.#ended;
    this.#shell = undefined;
    clearTimeout(timer);
    fs.closeSync(fd);
    return { printed: fs.readFileSync(log, 'utf8'), status };
  }

  /** docket ends its own agents when it hears SIGTERM. */
  async #stop() {
    const { pid } = this.#shell;
    signalGroup(pid, 'SIGTERM');
    const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
    await this.#ended;
    clearTimeout(timer);
  }

  /** Ends what runs, also the agents of a docket that was killed, and takes the folder away. */
  leave() {
    return (this.#left ??= this.#leave());
  }

  async #leave() {
    if (this.#shell) await this.#stop();
    if (fs.existsSync(path.join(this.#cwd, '.docket'))) await this.#sh('docket ps --end-strays --quiet');
    fs.rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
