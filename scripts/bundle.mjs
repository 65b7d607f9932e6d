// Puts the modules of the command line and of the library into a few files: `dist/` → `dist/cli/`. Node takes most of a
// millisecond to find and load a module, and a small command needs a hundred of them. Packages stay outside, but for two
// of which we use a small part. See docs/adr/0013.
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { bundlePrograms, copyTypes } from './bundle-library.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const dist = process.argv[2] ?? join(root, 'dist');
const out = join(dist, 'cli');

/**
 * The files that quick commands are made of, in order: a module is in the first whose entries reach it by plain imports,
 * so that none of them ever needs a later one. Everything else is split as its dynamic imports say.
 */
const files = [
  ['version', ['surfaces/cli/frame/version.js']],
  [
    'core',
    [
      'surfaces/cli/process.js',
      'project/docket.js',
      // Small, and several of the files below need them.
      'kinds/packet/place.js',
      'kinds/directory/place.js',
      ...['aligned', 'args', 'copyable', 'format', 'name', 'statuses'].map(
        (name) => `surfaces/cli/frame/${name}.js`,
      ),
    ],
  ],
  ['json', ['surfaces/cli/frame/json.js', 'surfaces/cli/agent/answer.js']],
  ['view', [...commands('status', 'needs-me'), 'project/view/view.js']],
  ['board-log', ['kinds/board/format/log.js']],
  ['schema', ['schema/check.js', 'schema/schemas.js']],
  ['often', commands('help', 'list', 'say', 'board-status')],
  ['read', ['store/open/open.js', 'kinds/queue/format/file.js', 'store/view.js']],
  ['packet', [...commands('packet-status'), 'kinds/packet/packets.js']],
  ['board', ['kinds/board/board.js']],
  [
    'write',
    [
      'settings/read-config.js',
      'settings/config.js',
      'store/file/file-store.js',
      'store/file/whole-reader.js',
      'kinds/one-store.js',
      'kinds/board/format/layout.js',
    ],
  ],
  ['change', ['kinds/board/change.js', 'kinds/board/told.js']],
];

/** Packages that travel inside of our own files, with their licenses: 9 MB of which we use 80 kB, and a small table. */
const inlined = ['@agentclientprotocol/sdk', 'get-east-asian-width', 'valibot'];

function isExternal(id) {
  return !id.startsWith('.') && !isAbsolute(id) && !inlined.includes(id);
}

function commands(...names) {
  return names.map((name) => `surfaces/cli/commands/${name}.js`);
}

let placed;

function fileOf(id, graph) {
  placed ??= place(graph);
  return placed.get(id) ?? null;
}

function place(graph) {
  const found = new Map();
  for (const [name, entries] of files) {
    const open = entries.map((entry) => join(dist, entry));
    const missing = entries.find((entry) => !graph.getModuleInfo(join(dist, entry)));
    if (missing !== undefined) throw new Error(`scripts/bundle.mjs names ${missing}, which is no module`);
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const module = found.has(id) ? null : graph.getModuleInfo(id);
      if (!module || module.isExternal) continue;
      found.set(id, name);
      open.push(...module.importedIds);
    }
  }
  return found;
}

/**
 * What is imported dynamically from one of our files comes by way of a file of its own, which only hands it on. Whoever
 * imports it asks the right file instead.
 */
const direct = {
  name: 'direct',
  generateBundle(_options, bundle) {
    const ways = new Map();
    for (const { fileName, code } of Object.values(bundle)) {
      const found = /^import\{([^}]*)\}from"(\.\/[^"]+)";(\w+)\(\);export\{([^}]*)\};?\s*$/.exec(code);
      if (found) ways.set(fileName, wayTo(...found.slice(1)));
    }
    for (const chunk of Object.values(bundle))
      chunk.code = chunk.code.replaceAll(/import\(`\.\/([^`]+)`\)/g, (all, file) => ways.get(file) ?? all);
    for (const file of ways.keys()) delete bundle[file];
    inlineRuntime(bundle);
  },
};

/** A few bytes that every file needs: to load them from one of their own takes longer than to have them everywhere. */
function inlineRuntime(bundle) {
  const runtime = Object.values(bundle).find(({ fileName }) => fileName.startsWith('rolldown-runtime'));
  const [, code] =
    /^import"node:module";(var __esmMin=.*;)export\{__esmMin as t\};?\s*$/.exec(runtime?.code ?? '') ?? [];
  if (!runtime || code === undefined) return;
  const way = `import{t as __esmMin}from"./${runtime.fileName}";`;
  for (const chunk of Object.values(bundle)) chunk.code = chunk.code.replace(way, code);
  delete bundle[runtime.fileName];
}

function wayTo(imported, file, init, exported) {
  const names = new Map(imported.split(',').map((each) => pair(each).toReversed()));
  const fields = exported
    .split(',')
    .map((each) => pair(each))
    .map(([own, as]) => `${as}:$.${names.get(own)}`);
  return `import(\`${file}\`).then($=>($.${names.get(init)}(),{${fields.join(',')}}))`;
}

/** `a as b` is [a, b]; `a` alone is [a, a]. */
function pair(text) {
  const [name, as = name] = text.split(' as ');
  return [name, as];
}

rmSync(out, { recursive: true, force: true });
const bundle = await rolldown({
  input: { docket: join(dist, 'surfaces/cli/main.js'), library: join(dist, 'index.js') },
  platform: 'node',
  plugins: [direct],
  preserveEntrySignatures: 'allow-extension',
  external: isExternal,
  logLevel: 'warn',
  checks: { ineffectiveDynamicImport: false },
});
await bundle.write({
  dir: out,
  format: 'esm',
  // A module runs when it is first needed, as it does alone: being in one file with others changes nothing else.
  strictExecutionOrder: true,
  minify: { compress: true, mangle: false, codegen: true },
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: fileOf, debugName: 'files' }] },
});
await bundle.close();
for (const name of inlined) {
  const license = readdirSync(join(modules, name)).find((file) => /^licen[cs]e/i.test(file));
  copyFileSync(join(modules, name, license), join(out, `LICENSE-${name.replace('@', '').replace('/', '-')}`));
}
await bundlePrograms(dist);
copyTypes(dist);
