import { type CompileOptions, compileWorkflow } from '../../../src/workflow/file/compile.ts';
import type { FacetKind, Library, Source } from '../../../src/workflow/file/library.ts';
import type { Graph, Node } from '../../../src/workflow/graph.ts';

export interface Shelf {
  /** By kind and name. */
  facets?: Partial<Record<FacetKind, Record<string, string>>>;
  /** By path, as the workflow writes it. */
  files?: Record<string, string>;
  workflows?: Record<string, string>;
}

/** Texts and workflows in memory. */
function libraryOf({ facets = {}, files = {}, workflows = {} }: Shelf): Library {
  return {
    named(kind, name, not) {
      const text = facets[kind]?.[name];
      const file = `/${kind}/${name}.md`;
      return text === undefined || not.has(file)
        ? { missing: `there is no ${kind} ${name}`, fix: 'write it' }
        : { name, file, text };
    },
    file: (path) => {
      const text = files[path];
      return text === undefined
        ? { missing: `there is no file ${path}`, fix: 'write it' }
        : { name: path, file: path, text };
    },
    workflow: (name) => {
      const text = workflows[name];
      return text === undefined
        ? { missing: `there is no workflow ${name}`, fix: 'write it' }
        : source(name, text);
    },
  };
}

function source(name: string, text: string): Source {
  return { name, file: `/${name}.yaml`, text, layer: 'project', folder: '/' };
}

export function compile(text: string, shelf: Shelf = {}, options: CompileOptions = {}) {
  return compileWorkflow(source('main', text), libraryOf(shelf), options);
}

/** The graph of a file that has nothing wrong with it. */
export function graphOf(text: string, shelf: Shelf = {}, options: CompileOptions = {}): Graph {
  const { graph, problems } = compile(text, shelf, options);
  if (!graph) throw new Error(problemLines({ problems }).join('\n'));
  return graph;
}

export function nodeOf(graph: Graph, id: string): Node {
  const node = graph.nodes[id];
  if (!node) throw new Error(`no node ${id} among ${Object.keys(graph.nodes).join(', ')}`);
  return node;
}

/** `file:line:column severity: message (fix)` */
export function problemLines({ problems }: Pick<ReturnType<typeof compile>, 'problems'>): string[] {
  return problems.map(
    ({ file, line, column, severity, message, fix }) =>
      `${file}:${line}:${column} ${severity}: ${message} (${fix})`,
  );
}

/** A file with one step that has these lines. */
export function step(lines: string, rest = ''): string {
  const indented = lines
    .trim()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
  return `name: main\nsteps:\n  - name: work\n${indented}\n    rules:\n      - { condition: true, next: COMPLETE }\n${rest}`;
}
