import { dispatch } from '../../../src/surfaces/cli/dispatch.ts';
import type { World } from '../../../src/surfaces/cli/frame/world.ts';

export interface RealSetting {
  stdin?: AsyncIterable<string>;
  tty?: boolean;
  env?: Record<string, string>;
  stop?: AbortSignal;
  /** Hears of everything that is printed. */
  onOutput?: (text: string) => void;
}

/** The command line with the real app, in a folder: everything but the process itself. */
export async function inFolder(root: string, argv: readonly string[], setting: RealSetting = {}) {
  const ended = { code: -1, stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') => ({
    isTTY: setting.tty ?? false,
    columns: 100,
    write: (text: string) => {
      ended[name] += text;
      setting.onOutput?.(text);
    },
  });
  const nothing = { async *[Symbol.asyncIterator]() {} } as AsyncIterable<string>;
  const world: World = {
    argv,
    env: { NO_COLOR: '1', USER: 'ann', ...setting.env },
    cwd: root,
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    stdin: {
      isTTY: setting.tty ?? false,
      [Symbol.asyncIterator]: () => (setting.stdin ?? nothing)[Symbol.asyncIterator](),
    },
    now: () => Date.now(),
    every: () => () => undefined,
    onStop: (listener) => {
      setting.stop?.addEventListener('abort', listener);
      return () => setting.stop?.removeEventListener('abort', listener);
    },
    docket: () => import('../../../src/project/docket.ts'),
  };
  ended.code = await dispatch(world);
  return ended;
}

export async function answerIn(root: string, argv: readonly string[]): Promise<Record<string, unknown>> {
  return JSON.parse((await inFolder(root, [...argv, '--json'])).stdout) as Record<string, unknown>;
}
