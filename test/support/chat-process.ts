import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { start } from './child.ts';
import { until } from './serving.ts';

const program = fileURLToPath(new URL('../../bin/docket', import.meta.url));

type News = { kind: string } & Record<string, unknown>;

/** `docket chat …` as people run it, with what it says. */
export interface ChatProcess {
  news: News[];
  /** Until it has said this so often. */
  said(kind: string, times?: number): Promise<void>;
  /** Without a word of farewell. */
  kill(): Promise<void>;
  /** As Ctrl-C does; the exit code. */
  stop(): Promise<number | null>;
}

export function chatProcess(
  root: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
): ChatProcess {
  const child = start(process.execPath, [program, 'chat', ...args, '--root', root, '--json'], { env });
  const news: News[] = [];
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) news.push(JSON.parse(line) as News);
  });
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  const end = (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    return closed;
  };
  return {
    news,
    said: (kind, times = 1) => until(() => news.filter((one) => one.kind === kind).length >= times),
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}

/** One command in the terminal, beside the chat. */
export function docket(root: string, args: readonly string[], env = process.env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args, '--root', root], {
    encoding: 'utf8',
    env,
  });
  return { code: status, stdout, stderr };
}
