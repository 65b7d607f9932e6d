import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { Visitor } from 'oxc-parser';
import { checkTexts, lineAt, parse } from './texts.ts';

/** Who may import whom (ARCHITECTURE.md). Everything may import `errors` and itself. */
const mayImport: Record<string, readonly string[]> = {
  task: [],
  schema: ['task'],
  workflow: ['task', 'schema'],
  report: ['task', 'schema'],
  render: ['task', 'schema', 'workflow', 'report'],
  layout: ['task', 'workflow', 'report', 'render', 'schema'],
  format: ['task', 'workflow', 'report', 'render', 'schema', 'layout'],
  io: [],
  gate: ['task', 'report', 'io'],
  workspace: ['task', 'io'],
  adapters: ['task', 'report', 'io'],
  store: ['task', 'workflow', 'schema', 'layout', 'io'],
  meter: ['task', 'store', 'io'],
  channel: ['task', 'render', 'io'],
  engine: ['task', 'workflow', 'report', 'gate', 'render', 'workspace', 'adapters', 'store', 'meter', 'io'],
  errors: [],
};
const below = Object.keys(mayImport);
mayImport['settings'] = below.filter((name) => name !== 'format');
mayImport['workflows'] = ['task', 'workflow', 'schema', 'io', 'settings'];
mayImport['kinds'] = [...below, 'settings', 'workflows'];
mayImport['project'] = [...mayImport['kinds'], 'kinds'];
mayImport['task-store'] = mayImport['project'];
mayImport['index'] = [...mayImport['project'], 'project', 'task-store'];
mayImport['surfaces'] = ['project', 'render', 'schema', ...below, 'kinds', 'settings'];

/** What a module may import as types only, never as values. */
const typesOnly: Record<string, readonly string[]> = {
  surfaces: ['kinds', 'settings', ...below.filter((name) => name !== 'render' && name !== 'schema')],
};

/** What these load by `import()` is a list of what lies below them, and no dependency. */
const dispatchTables = new Set(['src/adapters/adapters.ts', 'src/surfaces/cli/frame/commands.ts']);

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
  '@agentclientprotocol/sdk': (module) => module === 'adapters',
  tar: (module) => module === 'io',
  'markdown-it': (module) => module === 'gate',
  picomatch: (module) => module === 'gate',
  'get-east-asian-width': (module) => module === 'surfaces',
  '@larksuiteoapi/node-sdk': (module) => module === 'channel',
  '@modelcontextprotocol/server': (module) => module === 'surfaces',
};

/** The layouts are synchronous and their YAML library is slow to load: this one file may load it when first used. */
const lazyLoaders = new Set(['src/schema/yaml/yaml.ts']);

const maxLines = 300;

/** The three-way comparison of people's file: it opens nothing, and the library's task store has it, too. */
const pureComparison = 'src/store/file/reconcile.ts';

type Import = { specifier: string; typeOnly: boolean; line: number; dynamic?: true };

/** Checks source files (path such as `src/task/model.ts` → text) and returns one sentence per violation. */
export function checkArchitecture(files: ReadonlyMap<string, string>): string[] {
  const single = [...files].flatMap(([path, source]) => [
    ...checkFile(path, source),
    ...checkTexts(path, source),
    ...importsOf(path, source).flatMap((found) => {
      const problem = checkImport(path, found, files);
      return problem === undefined ? [] : [`${path}:${found.line}: ${problem}`];
    }),
  ]);
  return [...single, ...folderCycles(files)];
}

/** Folders that reach each other: one line for each such group. */
function folderCycles(files: ReadonlyMap<string, string>): string[] {
  const edges = new Map<string, Set<string>>();
  for (const [path, source] of files)
    for (const { specifier, dynamic } of importsOf(path, source)) {
      const target = posix.join(posix.dirname(path), specifier);
      if (!specifier.startsWith('.') || (dynamic && dispatchTables.has(path))) continue;
      const [from, to] = [posix.dirname(path), posix.dirname(target)];
      if (from !== to && to !== 'src') edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  const reach = new Map([...edges.keys()].map((from) => [from, reachedFrom(from, edges)]));
  const seen = new Set<string>();
  return [...reach].flatMap(([from, reached]) => {
    if (seen.has(from) || !reached.has(from)) return [];
    const cycle = [...reached].filter((to) => reach.get(to)?.has(from)).toSorted();
    for (const one of cycle) seen.add(one);
    return [`folders import each other: ${cycle.join(', ')}`];
  });
}

function reachedFrom(start: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const next of edges.get(at) ?? [])
      if (!reached.has(next)) {
        reached.add(next);
        open.push(next);
      }
  return reached;
}

/** A comparison with the name of a kind, or a branch on it. */
const kindTest =
  /\b(?:kind|layout)\b[^\n;]{0,20}(?:===|!==) '(?:queue|task|packet|board)'|case '(?:queue|packet|board)':/;

/** These still tell kinds apart by name; nothing may be added. */
const tellKindsApart = new Set(['src/project/view/read-folders.ts', 'src/project/view/read-store.ts']);

/** A list of words that every module may use. */
const namesOfKinds = 'src/task/kind-names.ts';

/** All kinds, and what each of them is asked: a fifth kind is added here and in src/kinds. */
const mayListKinds = new Set([
  namesOfKinds,
  ...['kinds', 'next', 'verbs'].map((file) => `src/project/tasks/${file}.ts`),
]);

/** The names of all four kinds in one array or union type, or as the keys of one object. */
function listsKinds(source: string): boolean {
  const names = ['queue', 'task', 'packet', 'board'];
  const hasAll = (text: string, of: (name: string) => RegExp) => names.every((name) => of(name).test(text));
  const quoted = source.match(/(?:'\w+'\s*[,|]\s*){3,}'\w+'/g) ?? [];
  const objects = source.match(/\{(?:[^{}]|\{[^{}]*\})*\}/g) ?? [];
  return (
    quoted.some((list) => hasAll(list, (name) => new RegExp(`'${name}'`))) ||
    objects.some((object) => hasAll(object, (name) => new RegExp(`[{,;\\n]\\s*${name}\\??[:(]`)))
  );
}

function checkFile(path: string, source: string): string[] {
  const problems: string[] = [];
  if (!path.startsWith('src/kinds/') && kindTest.test(source) !== tellKindsApart.has(path))
    problems.push(
      tellKindsApart.has(path)
        ? `${path}: tells no kinds apart any more; take it off the list`
        : `${path}: tells kinds apart by name; ask src/kinds`,
    );
  if (!path.startsWith('src/kinds/') && !mayListKinds.has(path) && listsKinds(source))
    problems.push(`${path}: lists all kinds; take them from src/task/kind-names.ts or src/project/tasks`);
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
  if (target.startsWith('src/store/file/') && from !== 'store' && target !== pureComparison)
    return `only store may open the files of a store (${found.specifier}); src/store/open/open.ts does`;
  if (from === to || to === 'errors') return undefined;
  if (!mayImport[from]?.includes(to)) return `${from} may not import ${to} (${found.specifier})`;
  if (typesOnly[from]?.includes(to) && !found.typeOnly && target !== namesOfKinds)
    return `${from} may import ${to} with "import type" only`;
  return undefined;
}

function checkBuiltin(module: string, name: string): string | undefined {
  if (module === 'io') return undefined;
  if (pure.has(module))
    return pureBuiltins.has(name) ? undefined : `${module} is pure and may not import node:${name}`;
  if (harmlessBuiltins.has(name) || (module === 'surfaces' && terminalBuiltins.has(name))) return undefined;
  return `only io may import node:${name}`;
}

/** `src/task/model.ts` → `task`; `src/index.ts` → `index`; `src/kinds/queue/format/cut.ts` → `format`. */
function moduleOf(path: string): string {
  const [, first = '', , third] = path.split('/');
  return first === 'kinds' && third === 'format' ? 'format' : first.replace(/\.ts$/, '');
}

/** `src/kinds/queue/work.ts` → `queue`; undefined for what all kinds share, and for the bridge, which leads from one to another. */
function kindOf(path: string): string | undefined {
  const folder = /^src\/kinds\/([^/]+)\//.exec(path)?.[1];
  return folder === 'bridges' ? undefined : folder;
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
    ImportExpression: (node) => {
      found.push({
        specifier: literalText(node.source),
        typeOnly: false,
        line: lineAt(source, node.start),
        dynamic: true,
      });
    },
    TSImportType: (node) => add(node, node.source.value, true),
    TSExternalModuleReference: (node) => add(node, node.expression.value, false),
  }).visit(parse(path, source));
  return found;
}

function literalText(node: { type: string; value?: unknown }): string {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : '';
}
