import { execFile } from 'node:child_process';

export interface ShortRun {
  code: number;
  stdout: string;
  stderr: string;
}

const longestOutput = 64 * 1024 * 1024;

/** Asks a program something that it answers soon. What takes longer is ended, and has no code 0. */
export function shortRun(
  argv: readonly string[],
  options: { env: Readonly<Record<string, string | undefined>>; cwd: string; timeoutMs: number },
): Promise<ShortRun> {
  const [program = '', ...args] = argv;
  const { env, cwd, timeoutMs: timeout } = options;
  const limits = { timeout, killSignal: 'SIGKILL', maxBuffer: longestOutput } as const;
  return new Promise((resolve) => {
    const child = execFile(program, args, { env: { ...env }, cwd, ...limits }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, stdout, stderr: stderr || (error?.message ?? '') });
    });
    child.stdin?.end();
  });
}
