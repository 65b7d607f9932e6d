import { spawn } from 'node:child_process';

export interface LineEnd {
  code: number;
  /** Both are empty where it was shown. */
  stdout: string;
  stderr: string;
}

export interface ShellLine {
  readonly pid: number | undefined;
  /** Resolves in any case; a line that could not be started has the code 127. */
  readonly ended: Promise<LineEnd>;
  readonly signal: (name: NodeJS.Signals) => void;
}

/**
 * Starts a line by the shell, as a person would type it, in our own process group: Ctrl-C reaches it as it reaches us.
 * `shown`: it has our terminal; `kept`: what it prints is in its end. It has no input in either case.
 */
export function startLine(
  line: string,
  options: {
    cwd: string;
    env: Readonly<Record<string, string | undefined>>;
    output: 'shown' | 'kept';
  },
): ShellLine {
  const { cwd, env } = options;
  const stdio = options.output === 'shown' ? 'inherit' : 'pipe';
  // exec: the process is the program itself, and not a shell that waits for it.
  const child = spawn('/bin/sh', ['-c', line.includes(' | ') ? line : `exec ${line}`], {
    cwd,
    env: { ...env },
    stdio: ['ignore', stdio, stdio],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const ended = new Promise<LineEnd>((resolve) => {
    child.once('error', (error) => resolve({ code: 127, stdout: '', stderr: error.message }));
    child.once('close', (code, signal) => {
      resolve({ code: code ?? (signal === 'SIGKILL' ? 137 : 143), ...said });
    });
  });
  return { pid: child.pid, ended, signal: (name) => void child.kill(name) };
}
