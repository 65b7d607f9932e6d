import { spawn } from 'node:child_process';

const keptOutput = 65_536;

/** Runs a command line by the shell, or an argument list as it is, and waits. Its output is kept up to a bound. */
export function runCommand(
  command: string | readonly string[],
  cwd: string,
): Promise<{ code: number; output: string }> {
  const [file = '', ...args] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (text: string): void => void (output = (output + text).slice(-keptOutput));
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 128, output }));
  });
}
