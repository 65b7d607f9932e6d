import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { parseSync, Visitor, type Program } from 'oxc-parser';
import { variants, vendorNames } from '../../src/adapter/adapters.ts';

/** Who may import whom (DESIGN, section 4). Everything may import `errors` and itself. */
const mayImport: Record<string, readonly string[]> = {
  task: [],
  workflow: ['task'],
  report: ['task', 'schema'],
  gate: ['task', 'report', 'io'],
  render: ['task', 'workflow', 'report'],
  schema: ['task'],
  layout: ['task', 'workflow', 'report', 'render', 'schema'],
  format: ['task', 'workflow', 'report', 'render', 'schema', 'layout'],
  io: [],
  store: ['task', 'workflow', 'schema', 'layout', 'io'],
  meter: ['task', 'store', 'io'],
  workspace: ['task', 'io'],
  adapter: ['task', 'report', 'io'],
  engine: ['task', 'workflow', 'report', 'gate', 'render', 'workspace', 'adapter', 'store', 'meter', 'io'],
  scheduler: ['task', 'store', 'engine', 'io'],
  channel: ['task', 'render', 'io'],
  config: ['task', 'schema', 'adapter'],
  surface: ['app', 'kinds', 'schema', 'task', 'render'],
  errors: [],
};
const belowApp = Object.keys(mayImport).filter((name) => name !== 'surface');
mayImport['app'] = [...belowApp, 'kinds'];
mayImport['kinds'] = [...belowApp, 'app'];
mayImport['task-store'] = [...belowApp, 'kinds'];
mayImport['index'] = ['app', 'kinds', 'task-store', ...belowApp];

/** What a module may import as types only, never as values. */
const typesOnly: Record<string, readonly string[]> = { surface: ['task'] };

const pure = new Set(['task', 'workflow', 'report', 'render', 'schema', 'layout', 'format']);
const pureBuiltins = new Set(['path/posix', 'crypto']);
/** Builtins that reach nothing outside the process. All others (files, processes, network, …) are io's. */
const harmlessBuiltins = new Set(
  'path path/posix path/win32 crypto util url events buffer async_hooks stream stream/promises string_decoder zlib'.split(
    ' ',
  ),
);
const terminalBuiltins = new Set(['process', 'tty', 'readline', 'readline/promises']);

/** Packages that users get (dependencies, optional peers, what the bundle inlines), and the modules that may use them. */
const packages: Record<string, (module: string) => boolean> = {
  zod: () => true,
  valibot: () => true,
  '@valibot/to-json-schema': (module) => module === 'schema', // only to make schemas/; the bundle does without
  yaml: () => true,
  'fs-native-extensions': (module) => module === 'io',
  '@agentclientprotocol/sdk': (module) => module === 'adapter',
  tar: (module) => module === 'io',
  'markdown-it': (module) => module === 'gate',
  picomatch: (module) => module === 'gate',
  'get-east-asian-width': (module) => module === 'surface',
  '@larksuiteoapi/node-sdk': (module) => module === 'channel',
  '@modelcontextprotocol/server': (module) => module === 'surface',
};

/** The layouts are synchronous and their YAML library is slow to load: this one file may load it when first used. */
const lazyLoaders = new Set(['src/schema/yaml/yaml.ts']);

/** The names of the kinds are words that everybody may use. */
const kindNames = 'src/kinds/names.ts';

const maxLines = 300;

/** What is known about a vendor is in its vendor.ts. Who may name one nevertheless, and why. */
const vendors = new Set<unknown>([...vendorNames, ...Object.keys(variants)]);
const mayNameVendors: readonly [paths: RegExp, why: string][] = [
  [/^src\/adapter\//, 'it is where they are known'],
  [/^src\/(kinds\/[^/]+\/format|layout)\//, 'a file format has its own words for tools'],
  [/^src\/surface\/cli\/commands\/skill-install\.ts$/, '--claude is an option'],
];

type Import = { specifier: string; typeOnly: boolean; line: number };

/** Checks source files (path such as `src/task/model.ts` → text) and returns one sentence per violation. */
export function checkArchitecture(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([path, source]) => [
    ...checkFile(path, source),
    ...checkVendors(path, source),
    ...importsOf(path, source).flatMap((found) => {
      const problem = checkImport(path, found, files);
      return problem === undefined ? [] : [`${path}:${found.line}: ${problem}`];
    }),
  ]);
}

/** A comparison with the name of a kind, or a branch on it. */
const kindTest =
  /\b(?:kind|layout)\b[^\n;]{0,20}(?:===|!==) '(?:queue|task|packet|board)'|case '(?:queue|packet|board)':/;

/** These still tell kinds apart by name; nothing may be added. */
const tellKindsApart = new Set(
  [
    'app/view/read-folder.ts app/view/read-store.ts app/ps/tasks.ts',
    'app/explain/diffs.ts app/explain/show.ts surface/cli/commands/show.ts',
    'app/disk.ts surface/cli/commands/disk.ts surface/mcp/next.ts',
  ]
    .join(' ')
    .split(' ')
    .map((file) => `src/${file}`),
);

function checkFile(path: string, source: string): string[] {
  const problems: string[] = [];
  if (!path.startsWith('src/kinds/') && kindTest.test(source) !== tellKindsApart.has(path))
    problems.push(
      tellKindsApart.has(path)
        ? `${path}: tells no kinds apart any more; take it off the list`
        : `${path}: tells kinds apart by name; ask src/kinds`,
    );
  const module = moduleOf(path);
  if (!(module in mayImport)) {
    problems.push(`${path}: "${module}" is not a module of the import table; add it there first`);
  }
  if (posix.basename(path) === 'index.ts' && path !== 'src/index.ts') {
    problems.push(`${path}: is a barrel; import the file that has the thing`);
  }
  const lines = source.replace(/\n$/, '').split('\n').length;
  if (lines > maxLines) problems.push(`${path}: has ${lines} lines, more than ${maxLines}; split it`);
  return problems;
}

function checkVendors(path: string, source: string): string[] {
  if (mayNameVendors.some(([paths]) => paths.test(path))) return [];
  const problems: string[] = [];
  new Visitor({
    Literal: ({ start, value }) => {
      if (!vendors.has(value)) return;
      const at = `${path}:${lineAt(source, start)}`;
      problems.push(`${at}: names the vendor ${value}; let its vendor.ts say what is different about it`);
    },
  }).visit(parse(path, source));
  return problems;
}

function checkImport(path: string, found: Import, files: ReadonlyMap<string, string>): string | undefined {
  const { specifier } = found;
  const module = moduleOf(path);
  if (specifier === '') return 'import() of a computed name cannot be checked; write the path as a string';
  if (specifier.startsWith('.')) return checkRelative(path, found, files);
  const builtin = specifier.replace(/^node:/, '');
  if (builtin === 'module' && lazyLoaders.has(path)) return undefined;
  if (specifier.startsWith('node:') || builtinModules.includes(builtin)) return checkBuiltin(module, builtin);
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return packages[name]?.(module) ? undefined : `${module} may not import the package ${name}`;
}

function checkRelative(path: string, found: Import, files: ReadonlyMap<string, string>): string | undefined {
  const target = posix.join(posix.dirname(path), found.specifier);
  if (!files.has(target))
    return `imports ${target}, which is not a source file; write the real path, with .ts`;
  const from = moduleOf(path);
  const to = moduleOf(target);
  const [kind, other] = [kindOf(path), kindOf(target)];
  if (kind !== undefined && other !== undefined && kind !== other)
    return `the kind ${kind} may not import the kind ${other} (${found.specifier})`;
  if (target.startsWith('src/store/file/') && from !== 'store')
    return `only store may open the files of a store (${found.specifier}); src/store/open.ts does`;
  if (from === to || to === 'errors' || target === kindNames) return undefined;
  if (!mayImport[from]?.includes(to)) return `${from} may not import ${to} (${found.specifier})`;
  if (typesOnly[from]?.includes(to) && !found.typeOnly)
    return `${from} may import ${to} with "import type" only`;
  return undefined;
}

function checkBuiltin(module: string, name: string): string | undefined {
  if (module === 'io') return undefined;
  if (pure.has(module))
    return pureBuiltins.has(name) ? undefined : `${module} is pure and may not import node:${name}`;
  if (harmlessBuiltins.has(name) || (module === 'surface' && terminalBuiltins.has(name))) return undefined;
  return `only io may import node:${name}`;
}

/** `src/task/model.ts` → `task`; `src/app.ts` → `app`; `src/kinds/queue/format/cut.ts` → `format`. */
function moduleOf(path: string): string {
  const [, first = '', , third] = path.split('/');
  return first === 'kinds' && third === 'format' ? 'format' : first.replace(/\.ts$/, '');
}

/** `src/kinds/queue/work.ts` → `queue`; undefined for what all kinds share, and for the bridge, which leads from one to another. */
function kindOf(path: string): string | undefined {
  const folder = /^src\/kinds\/([^/]+)\//.exec(path)?.[1];
  return folder === 'bridge' ? undefined : folder;
}

/** Every import of a file: static, re-export, dynamic, and `import('…').T` in a type. */
function importsOf(path: string, source: string): Import[] {
  const found: Import[] = [];
  const add = (node: { start: number }, specifier: string, typeOnly: boolean): void => {
    found.push({ specifier, typeOnly, line: lineAt(source, node.start) });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node, node.source.value, node.importKind === 'type'),
    ExportAllDeclaration: (node) => add(node, node.source.value, node.exportKind === 'type'),
    ExportNamedDeclaration: (node) => {
      if (node.source) add(node, node.source.value, node.exportKind === 'type');
    },
    ImportExpression: (node) => add(node, literalText(node.source), false),
    TSImportType: (node) => add(node, node.source.value, true),
    TSExternalModuleReference: (node) => add(node, node.expression.value, false),
  }).visit(parse(path, source));
  return found;
}

function parse(path: string, source: string): Program {
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`);
  return program;
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

function literalText(node: { type: string; value?: unknown }): string {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : '';
}
