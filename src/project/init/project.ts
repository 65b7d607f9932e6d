/** What a project is built and tested with, as far as the names of its files tell. */
export interface Tooling {
  /** `npm`, `cargo`, …; the first is the one that its tests are run with. */
  managers: string[];
  /** Makes a fresh clone ready to be tested. */
  install?: string;
  /** The commands that run its tests, the likeliest first. */
  tests: string[];
  notes: string[];
}

/** The text of a file of the project; undefined: there is none. */
export type Read = (name: string) => string | undefined;

interface Found {
  manager: string;
  install?: string;
  test?: string;
  note?: string;
}

/** Every command is one of ours: nothing that stands in a file of the project becomes part of one. */
export function toolingOf(read: Read): Tooling {
  const found = [node(read), make(read), cargo(read), go(read), python(read), java(read)].flatMap(
    (one) => one ?? [],
  );
  const tested = found.filter(({ test }) => test !== undefined);
  const ordered = [...tested, ...found.filter((one) => !tested.includes(one))];
  // A Makefile says how to test, and another file what to install.
  const install = ordered.flatMap((one) => one.install ?? [])[0];
  return {
    managers: ordered.map(({ manager }) => manager),
    ...(install !== undefined && { install }),
    tests: tested.flatMap(({ test }) => test ?? []),
    notes: found.flatMap(({ note }) => note ?? []),
  };
}

const nodeLocks: readonly [file: string, manager: string][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];
const nodeCommands: Readonly<Record<string, { install: string; test: string }>> = {
  npm: { install: 'npm ci', test: 'npm test' },
  pnpm: { install: 'pnpm install --frozen-lockfile', test: 'pnpm test' },
  yarn: { install: 'yarn install', test: 'yarn test' },
  bun: { install: 'bun install --frozen-lockfile', test: 'bun run test' },
};
/** What `npm init` writes into a new package: it always fails. */
const placeholder = /no test specified/i;

function node(read: Read): Found | undefined {
  const text = read('package.json');
  if (text === undefined) return undefined;
  const content = parsed(text);
  const lock = nodeLocks.find(([file]) => read(file) !== undefined)?.[1];
  const named = /^(npm|pnpm|yarn|bun)@/.exec(String(content?.['packageManager']))?.[1];
  const manager = named ?? lock ?? 'npm';
  const { install = '', test = '' } = nodeCommands[manager] ?? {};
  const about = { manager, install: lock === undefined && manager === 'npm' ? 'npm install' : install };
  if (!content) return { ...about, note: 'package.json is no JSON, so its scripts were not looked at' };
  const scripts = content['scripts'];
  const script = typeof scripts === 'object' && scripts !== null ? Reflect.get(scripts, 'test') : undefined;
  const isReal = typeof script === 'string' && script.trim() !== '' && !placeholder.test(script);
  return isReal ? { ...about, test } : about;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // told as a note
  }
}

function make(read: Read): Found | undefined {
  const text = ['GNUmakefile', 'makefile', 'Makefile'].map(read).find((one) => one !== undefined);
  if (text === undefined) return undefined;
  return /^test\s*:(?![:=])/m.test(text) ? { manager: 'make', test: 'make test' } : { manager: 'make' };
}

function cargo(read: Read): Found | undefined {
  return read('Cargo.toml') === undefined
    ? undefined
    : { manager: 'cargo', install: 'cargo fetch', test: 'cargo test' };
}

function go(read: Read): Found | undefined {
  return read('go.mod') === undefined
    ? undefined
    : { manager: 'go', install: 'go mod download', test: 'go test ./...' };
}

function python(read: Read): Found | undefined {
  const project = read('pyproject.toml');
  const isThere = project ?? read('requirements.txt') ?? read('setup.py') ?? read('setup.cfg');
  if (isThere === undefined) return undefined;
  const hasTests =
    ['pytest.ini', 'conftest.py', 'tests/conftest.py', 'tests/__init__.py'].some(
      (name) => read(name) !== undefined,
    ) || /\bpytest\b/.test(`${project ?? ''}${read('setup.cfg') ?? ''}${read('tox.ini') ?? ''}`);
  const tested = (test: string) => (hasTests ? { test } : {});
  if (read('uv.lock') !== undefined) return { manager: 'uv', install: 'uv sync', ...tested('uv run pytest') };
  if (read('poetry.lock') !== undefined)
    return { manager: 'poetry', install: 'poetry install', ...tested('poetry run pytest') };
  const list = read('requirements.txt') === undefined ? '-e .' : '-r requirements.txt';
  return { manager: 'pip', install: `python -m pip install ${list}`, ...tested('python -m pytest') };
}

function java(read: Read): Found | undefined {
  if (read('pom.xml') !== undefined)
    return { manager: 'maven', test: `${read('mvnw') === undefined ? 'mvn' : './mvnw'} --batch-mode test` };
  if (read('build.gradle') === undefined && read('build.gradle.kts') === undefined) return undefined;
  return { manager: 'gradle', test: `${read('gradlew') === undefined ? 'gradle' : './gradlew'} test` };
}
