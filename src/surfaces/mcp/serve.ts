import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { messageOf } from '../../errors.ts';
import type { AgentSide } from '../../project/for-agent/api.ts';
import { type Context, withDocket } from '../cli/frame/context.ts';
import { visible } from '../cli/frame/visible.ts';
import type { World } from '../cli/frame/world.ts';
import { CallDesk } from './desk.ts';
import { type Call, type CallContext, makeServer } from './server.ts';
import { answerTool, tools } from './tools.ts';
import { LineTransport } from './transport.ts';

/** One connection, from stdin's first line to its end. stdout is the protocol; all talk is on stderr. */
export async function serve(
  given: Context,
  name: string,
  { readOnly, answers }: { readOnly: boolean; answers: boolean },
): Promise<number> {
  const { world, out } = given;
  // Found once: a folder that an agent makes later must not become the root.
  const { root } = await withDocket(given, async (docket) => {
    await docket.forAgent(name);
    return docket;
  });
  const context = { ...given, globals: { ...given.globals, root } };
  const withSide = <T>(use: (side: AgentSide) => Promise<T>): Promise<T> =>
    withDocket(context, async (docket) => use(await docket.forAgent(name)));
  const desk = new CallDesk({
    now: () => world.now(),
    withSide,
    onBroken: (error) =>
      out.alarm(
        visible((world.env['DOCKET_DEBUG'] && error instanceof Error && error.stack) || messageOf(error)),
      ),
  });
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort());
  world.stdout.onGone?.(() => stop.abort());
  const transport = new LineTransport(world);
  const offered = answers ? [...tools, answerTool] : tools;
  const served = readOnly ? tools.filter(({ changes }) => !changes) : offered;
  const call: Call = (tool, input, about) =>
    withProgress(world, about, () => desk.call(tool, input, AbortSignal.any([about.signal, stop.signal])));
  // The client's first message decides between the handshake of 2025 and the requests of 2026-07-28.
  const server = serveStdio(() => makeServer(served, call), {
    transport,
    onerror: (error) => out.talk(`docket mcp: ${visible(error.message)}`),
  });
  out.talk(
    world.stdin.isTTY
      ? 'docket mcp waits for an MCP client on stdin; Ctrl-D ends it. To set one up: docket mcp --print-config'
      : `docket mcp serves ${visible(root)}${readOnly ? ', for reading only' : ` as ${name}`}`,
  );
  try {
    await transport.read(stop.signal);
    await turn(); // what was read last has begun
    stop.abort(); // nobody waits for checks that run
    await desk.idle();
    await turn(); // what was answered last is written
  } finally {
    deaf();
    await server.close();
  }
  return 0;
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

const everyMs = 5000;

/** Checks may take minutes: a client that asks to be told hears that the call is still under way, and waits longer. */
async function withProgress<T>(world: World, context: CallContext, work: () => Promise<T>): Promise<T> {
  const progressToken = context._meta?.progressToken;
  if (progressToken === undefined) return work();
  let progress = 0;
  const quiet = world.every(everyMs, () => {
    progress += 1;
    const params = { progressToken, progress, message: 'docket is at it' };
    // A connection that is gone ends the call by itself.
    context.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  });
  try {
    return await work();
  } finally {
    quiet();
  }
}
