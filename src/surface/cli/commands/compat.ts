import type { Context } from '../context.ts';
import { readStdin } from '../stdin.ts';

/** A script of the original board: its arguments, its output, its exit codes. */
export async function run({ args, world }: Context): Promise<number> {
  const [script = '', ...argv] = args.operands;
  const { compat } = await world.app();
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort('shutdown'));
  try {
    const { code, stdout, stderr } = await compat(script, argv, {
      cwd: world.cwd,
      env: world.env,
      stdin: () => readStdin(world.stdin),
      warn: (text) => world.stderr.write(`warning: ${text}\n`),
      signal: stop.signal,
    });
    if (stdout !== '') world.stdout.write(stdout);
    if (stderr !== '') world.stderr.write(stderr);
    return code;
  } finally {
    deaf();
  }
}
