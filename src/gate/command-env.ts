import { tryGit } from '../io/git.ts';
import { allowedEnv } from '../io/process/environment.ts';

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
