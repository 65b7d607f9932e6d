import path from 'node:path';
import type { AgentRequest, Launch } from '../adapters/adapter.ts';
import type { Agent, Confinement } from '../adapters/agent.ts';
import { requireProgram } from '../io/find-program.ts';
import { hostIn, isLoopback } from '../io/network/hosts.ts';
import { packageParts, packageRoot } from '../io/package-root.ts';
import { allowedEnv } from '../io/process/environment.ts';
import { sandboxed } from '../io/process/sandbox.ts';
import { tempFolderOf } from '../io/process/temp-folder.ts';

interface Wearer {
  agent: Agent & { confined?: Confinement };
  request: Pick<AgentRequest, 'cwd' | 'dir' | 'env'>;
  mark: string;
}

/** The command and the environment of an agent, as it is held. */
export async function commandAndEnv(
  launch: Launch,
  { agent, request, mark }: Wearer,
): Promise<{ argv: readonly string[]; env: Record<string, string> }> {
  const { adapter, confined } = agent;
  const env = {
    ...(confined
      ? reduced(request, confined)
      : allowedEnv(request.env, { pass: adapter.passEnv, cwd: request.cwd })),
    ...(confined ? only(agent.env, confined.env) : agent.env),
    ...launch.env, // last: what holds the agent is in there
  };
  if (agent.sandbox === 'none') return { argv: launch.argv, env };
  const where = { env: request.env, ...(agent.home !== undefined && { home: agent.home }) };
  const writable = adapter.writable(where);
  const root = agent.confinement?.root ?? request.cwd;
  const readOnly = agent.permission === 'read';
  const wish = { cwd: request.cwd, root, readOnly, dir: request.dir, mark, writable };
  if (!confined) return { argv: await sandboxed(launch.argv, { ...wish, network: agent.network, env }), env };
  const way = wayOut(confined, mark);
  const home = agent.home === undefined ? [] : [agent.home];
  const paths = [
    ...confined.paths,
    ...(agent.command ?? []).filter((word) => path.isAbsolute(word)),
    ...home,
  ];
  const [first = '', ...rest] = launch.argv;
  const program = requireProgram(first, env, request.cwd);
  const argv = await sandboxed([...way.argv, program, ...rest], {
    ...wish,
    network: false,
    env,
    confined: {
      root: confined.root ?? request.cwd,
      settings: confined.settings,
      paths,
      programs: [program],
      tools: packageParts(),
    },
  });
  return { argv, env: { ...env, ...way.env } };
}

/** Without the keys to anything but its provider. */
function reduced({ env, cwd }: Wearer['request'], { env: isNeeded }: Confinement): Record<string, string> {
  const common = allowedEnv(env, { cwd });
  const needed = Object.entries(only(env, isNeeded));
  const bare = Object.fromEntries(Object.entries(common).filter(([name]) => !/_proxy$/i.test(name)));
  return { ...bare, ...allowedEnv(Object.fromEntries(needed), { cwd, pass: ['*'] }) };
}

function only(
  env: Readonly<Record<string, string | undefined>>,
  isNeeded: (name: string) => boolean,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && isNeeded(pair[0]),
  );
  return Object.fromEntries(kept);
}

/** A network of its own has every port free. */
const proxyPort = 3128;

/** Where docket listens for an agent without a network. */
export function gatewaySocket(mark: string): string {
  return path.join(tempFolderOf(mark), 'provider.sock');
}

/** How its calls reach us: the proxy of its environment, and at their own ports those on this machine's loopback. */
function wayOut({ hosts }: Confinement, mark: string): { argv: string[]; env: Record<string, string> } {
  const known = hosts.flatMap((host) => hostIn(host) ?? []);
  const local = known.filter((host) => isLoopback(host) && host.port !== proxyPort);
  const ports = [String(proxyPort), ...local.map(({ name, port }) => `${port}@${name}:${port}`)];
  const script = path.join(packageRoot(), 'dist/io/network/forward.js');
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const near = 'localhost,127.0.0.1,::1';
  return {
    argv: [process.execPath, script, gatewaySocket(mark), [...new Set(ports)].join(','), '--'],
    env: {
      ...Object.fromEntries(
        ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [
          name,
          proxy,
        ]),
      ),
      NO_PROXY: near,
      no_proxy: near,
      NODE_USE_ENV_PROXY: '1',
    },
  };
}
