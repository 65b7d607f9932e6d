import { execFile } from 'node:child_process';

export interface ShortRun {
  code: number;
  stdout: string;
  stderr: string;
}

const longestOutput = 64 * 1024 * 1024;

/** Runs a program that ends by itself and waits. What takes longer than it may is ended, and has no code 0; 0: no limit. */
export function shortRun(
  argv: readonly string[],
  options: {
    env: Readonly<Record<string, string | undefined>>;
    cwd: string;
    timeoutMs: number;
    input?: string;
    /** Input and output are bytes, one per character: what is no UTF-8 survives. */
    bytes?: boolean;
  },
): Promise<ShortRun> {
  const [program = '', ...args] = argv;
  const { env, cwd, timeoutMs: timeout } = options;
  const encoding = options.bytes ? 'latin1' : 'utf8';
  const limits = { timeout, killSignal: 'SIGKILL', maxBuffer: longestOutput, encoding } as const;
  return new Promise((resolve) => {
    const child = execFile(program, args, { env: { ...env }, cwd, ...limits }, (error, stdout, stderr) => {
      const code = error ? codeOf(error.code) : 0;
      resolve({ code, stdout, stderr: stderr || (error?.message ?? '') });
    });
    child.stdin?.on('error', () => undefined); // it ended without reading; its code tells why
    child.stdin?.end(options.input ?? '', encoding);
  });
}

/** As a shell would say it: 127 for a program that is not there. */
function codeOf(code: number | string | null | undefined): number {
  if (typeof code === 'number') return code;
  return code === 'ENOENT' ? 127 : 1;
}
