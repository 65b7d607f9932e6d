import path from 'node:path';
import { longestTimerMs } from '../io/clock.ts';
import { listDir, makeDir } from '../io/files.ts';
import { findProgram } from '../io/find-program.ts';
import { removeTree } from '../io/folders.ts';
import { tryGit } from '../io/git.ts';
import { allowedEnv } from '../io/process/environment.ts';
import { endLeftover } from '../io/process/leftovers.ts';
import { readEnds } from '../io/process/log-files.ts';
import { newMark } from '../io/process/mark.ts';
import type { OutputMask } from '../io/process/process.ts';
import { canSandbox, sandboxed } from '../io/process/sandbox.ts';
import { startProcess } from '../io/process/start.ts';
import { places } from '../io/process/supervisor.ts';
import { dangerIn } from './dangerous.ts';

export interface CommandResult {
  command: string;
  /** 124: it took too long. 126: it was not run. */
  code: number;
  /** What it said on both channels; of much, the beginning and the end. */
  output: string;
  timedOut: boolean;
  /** Why it looks dangerous. One that a model wrote is not run then; a person's is. */
  danger?: string;
  /** Of one that failed: what it was kept from, which may be why. */
  hint?: string;
}

/** What commands may do. */
export interface CommandRights {
  /** Variables of docket's environment that they get beside the usual ones: names, beginnings (`PG*`), `*` for all. */
  pass: readonly string[];
  /** The project's root, where the work is of somebody whom nobody vouches for: they are held as its agents are. */
  low?: string | undefined;
  /** The sandbox of the agents whose work they check. */
  box?: { root: string; network: boolean } | undefined;
}

export interface CommandOptions extends CommandRights {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** A folder of ours for their output while they run. */
  dir: string;
  /** For each of them. */
  timeoutMs: number;
  outputBytes: number;
  signal: AbortSignal;
  /** Takes secrets out of what they say, before it is written down. */
  mask?: OutputMask;
  /** Written by a model: it gets no keys from the environment, and nothing dangerous is run. */
  fromModel?: boolean;
}

/** More than this fills a disk. */
const mostOutput = 256 * 1024 ** 2;

/** Runs all of them, one after the other, also after one that failed; an abort ends the one that runs and skips the rest. */
export async function runCommands(
  commands: readonly string[],
  options: CommandOptions,
): Promise<CommandResult[]> {
  const { dir, fromModel = false, signal } = options;
  for (const name of listDir(dir)) await endLeftover(path.join(dir, name));
  removeTree(dir);
  const results: CommandResult[] = [];
  for (const [index, command] of commands.entries()) {
    if (signal.aborted) break;
    const danger = dangerIn(command);
    const told = { command, ...(danger !== undefined && { danger }) };
    if (fromModel && danger !== undefined)
      results.push({ ...told, code: 126, output: `not run: ${danger}\n`, timedOut: false });
    else results.push({ ...told, ...(await run(command, path.join(dir, String(index)), options)) });
  }
  removeTree(dir); // it may hold secrets
  return results;
}

async function run(
  command: string,
  dir: string,
  options: CommandOptions,
): Promise<Pick<CommandResult, 'code' | 'output' | 'timedOut' | 'hint'>> {
  const {
    cwd,
    env: given,
    timeoutMs,
    outputBytes,
    signal,
    mask,
    low,
    pass,
    box,
    fromModel = false,
  } = options;
  makeDir(dir);
  const all = fromModel ? allowedEnv(given, { cwd }) : commandEnv(given, { pass, cwd });
  const shell = findProgram('bash', all, cwd) ?? '/bin/sh';
  // Both channels into one, in the order in which it was said.
  const words = [shell, '-c', 'exec "$0" -c "$1" 2>&1', shell, command];
  const mark = newMark();
  const place = { cwd, dir, mark };
  const held =
    low !== undefined
      ? await heldCommand(words, { ...place, root: low }, given)
      : box && (await boxedCommand(words, { ...place, ...box }, all));
  const { argv, env } = held ?? { argv: words, env: all };
  const child = await startProcess({
    argv,
    cwd,
    env,
    stdin: { text: '' },
    dir,
    mark,
    maxOutputBytes: mostOutput,
    ...(mask && { mask }),
  });
  const stop = () => void child.stop('canceled').catch(() => undefined); // `exited` tells
  const timer = setTimeout(
    () => void child.stop('timeout').catch(() => undefined),
    Math.min(timeoutMs, longestTimerMs),
  );
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop(); // while it was being started
  try {
    const { code, stopped } = await child.exited;
    const timedOut = stopped === 'timeout';
    const output = readEnds(places(dir).stdout, outputBytes);
    const ended = timedOut ? 124 : stopped !== undefined && code === 0 ? 1 : (code ?? 1);
    const hasFailed = ended !== 0 && stopped === undefined && low === undefined && !fromModel;
    const hint = hasFailed ? await hintFor({ command, output, got: env }, options) : undefined;
    return {
      code: ended,
      output: mask?.text(output) ?? output,
      timedOut,
      ...(hint !== undefined && { hint }),
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** What docket kept from a command that failed, if its text or output mentions it. */
async function hintFor(
  { command, output, got }: { command: string; output: string; got: Readonly<Record<string, string>> },
  { env, cwd, box }: CommandOptions,
): Promise<string | undefined> {
  const missed = (await missedIn(env, got, { cwd, texts: [command, output] })).slice(0, 10);
  const isCutOff = box?.network === false && /ENOTFOUND|EAI_AGAIN|resolve host|unreachable/i.test(output);
  const hints = [
    ...(missed.length > 0
      ? [
          `not passed to commands, though set: ${missed.join(', ')}. To pass: "commandEnv: [${missed.join(', ')}]" in .docket/config.yaml`,
        ]
      : []),
    ...(box && /read-only file system|EROFS/i.test(output)
      ? [
          "the command ran in its agent's sandbox, where only the workspace and the temporary folder can be written",
        ]
      : []),
    ...(isCutOff ? ["the command ran in its agent's sandbox, without a network (network: false)"] : []),
  ];
  return hints.length === 0 ? undefined : hints.join('; ');
}

interface Held {
  argv: readonly string[];
  env: Record<string, string>;
}

/**
 * A command over work that nobody vouches for runs whatever that work put into scripts and tests: without keys, without
 * a network, and writing nowhere but in the work tree. Where there is no sandbox its agent could change nothing.
 */
async function heldCommand(
  argv: readonly string[],
  place: { root: string; cwd: string; dir: string; mark: string },
  given: Readonly<Record<string, string | undefined>>,
): Promise<Held> {
  const env = allowedEnv(given, { cwd: place.cwd });
  if (!(await canSandbox())) return { argv, env };
  const wish = { ...place, env, readOnly: false, network: false, writable: [] };
  return {
    argv: await sandboxed(argv, {
      ...wish,
      confined: { root: place.root, settings: [], paths: [], programs: [] },
    }),
    env,
  };
}

/** A command over the work of an agent in the outer sandbox runs what that agent wrote: in the same sandbox. */
async function boxedCommand(
  argv: readonly string[],
  place: { root: string; cwd: string; dir: string; mark: string; network: boolean },
  env: Record<string, string>,
): Promise<Held> {
  return { argv: await sandboxed(argv, { ...place, env, readOnly: false, writable: [] }), env };
}

type Env = Readonly<Record<string, string | undefined>>;

/** What builds and tests need of the environment beside what every program gets: toolchains, and no keys. */
const toolchains = `
  CI TMPDIR TMP TEMP NO_COLOR FORCE_COLOR COLUMNS LINES DISPLAY WAYLAND_DISPLAY NODE_* NPM_CONFIG_*
  npm_config_* YARN_* PNPM_* BUN_* DENO_* COREPACK_* NVM_* VOLTA_* FNM_* ASDF_* MISE_* PYENV_* PYTHON*
  VIRTUAL_ENV CONDA_* PIP_* UV_* POETRY_* PIPENV_* GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS
  GOPROXY GOPRIVATE GONOSUMDB GOSUMDB GOTOOLCHAIN GOOS GOARCH GO111MODULE CGO_* CARGO_* RUST* JAVA_*
  JDK_* MAVEN_* M2_HOME GRADLE_* ANDROID_* SBT_* DOTNET_* NUGET_* RUBY* GEM_* RBENV_* BUNDLE_PATH
  BUNDLE_GEMFILE BUNDLE_WITHOUT PHP* COMPOSER_* PERL* LUA_* R_* CC CXX CPP AR LD CFLAGS CXXFLAGS
  CPPFLAGS LDFLAGS LIBRARY_PATH LD_LIBRARY_PATH DYLD_* CPATH PKG_CONFIG* CMAKE_* MAKEFLAGS CCACHE_*
  NIX_* PLAYWRIGHT_* PUPPETEER_* CHROME_BIN CYPRESS_* DOCKER_HOST TESTCONTAINERS_*
`
  .trim()
  .split(/\s+/);
/** Variables with such names, or with a password in an address, are passed only if the settings name them. */
const secretive = /auth|token|secret|pass(?:w|phrase)|credential|private_?key|api_?key|access_?key|_key$/i;
const withPassword = /:\/\/[^\s/@]*:[^\s/@]+@/;
/** Set by the shell, not by a person. */
const noise = new Set(['_', 'SHLVL', 'OLDPWD', 'PWD', 'HOSTNAME', 'PS1', 'LS_COLORS', 'MAIL']);
const mostNames = 300;

/** The environment of a command that checks work: `pass` names what a project adds, `*` everything. */
export function commandEnv(env: Env, { pass, cwd }: { pass: readonly string[]; cwd: string }) {
  const usual = Object.entries(allowedEnv(env, { cwd, pass: toolchains }))
    .filter(([name, value]) => !secretive.test(name) && !withPassword.test(value))
    .map(([name]) => name);
  return allowedEnv(env, { cwd, pass: [...usual, ...pass] });
}

/**
 * The variables that docket has, that the command did not get, and that the command, its output or a file of the work
 * tree names: one of them may be why it failed.
 */
export async function missedIn(
  env: Env,
  got: Env,
  { cwd, texts }: { cwd: string; texts: readonly string[] },
): Promise<string[]> {
  const names = Object.keys(env)
    .filter((name) => /^[A-Z][A-Z0-9_]{2,}$/.test(name) && !(name in got) && !noise.has(name))
    .filter((name) => !name.startsWith('DOCKET_'))
    .slice(0, mostNames);
  if (names.length === 0) return [];
  const args = [
    'grep',
    '--no-color',
    '--untracked',
    '-ohwIF',
    ...names.flatMap((name) => ['-e', name]),
    '--',
    '.',
  ];
  const { stdout } = await tryGit(cwd, args);
  const words = new Set([...stdout.split('\n'), ...texts.flatMap((text) => text.match(/\w+/g) ?? [])]);
  return names.filter((name) => words.has(name));
}
