import path from 'node:path';
import { DocketError } from '../errors.ts';
import { command, fix, type Fix } from '../errors/command.ts';
import { nearest } from '../errors/nearest.ts';
import { listDir } from '../io/files.ts';
import { isDirectory } from '../io/find-up.ts';
import { placeInside } from '../io/inside.ts';
import { readTextFile } from '../io/text-file.ts';
import {
  type FacetKind,
  kindName,
  type Library,
  type Missing,
  type Source,
  type Text,
} from '../workflow/file/library.ts';
import type { Layer } from './layers.ts';

/** The texts and workflows of some layers. */
export function libraryOf(layers: readonly Layer[], root: string): Library {
  return {
    named: (kind, name, not) => orMissing(() => named(layers, kind, name, not)),
    file: (file, from) => orMissing(() => byPath(file, from, root)),
    workflow: (name, from) => orMissing(() => called(layers, name, from, root)),
  };
}

/** A workflow is named by a path as soon as it looks like one. */
export function isPath(name: string): boolean {
  return /[/\\]|\.ya?ml$/i.test(name);
}

/** By its bare name, in the first layer that has it. */
export function sourceNamed(layers: readonly Layer[], name: string): Source | undefined {
  for (const layer of layers)
    for (const below of layer.workflows)
      for (const file of filesIn(path.join(layer.folder, below)))
        if (stem(file) === name) return readSource({ layer: layer.name, folder: layer.folder }, file);
  return undefined;
}

function workflowNames(layers: readonly Layer[]): string[] {
  const files = layers.flatMap(({ folder, workflows }) =>
    workflows.flatMap((below) => filesIn(path.join(folder, below))),
  );
  return [...new Set(files.map(stem))];
}

function named(
  layers: readonly Layer[],
  kind: FacetKind,
  name: string,
  not: ReadonlySet<string>,
): Text | Missing {
  const places = layers.flatMap(({ folder, facets }) => facets[kind].map((below) => ({ folder, below })));
  for (const { folder, below } of places) {
    const found = readBelow(folder, `${below}/${name}.md`);
    if (found && !not.has(found.file)) return { name, ...found };
  }
  const known = places.flatMap(({ folder, below }) => filesIn(path.join(folder, below), /\.md$/).map(stem));
  const guess = nearest(name, known);
  const hint = guess === undefined || guess === name ? '' : `Did you mean "${guess}"? `;
  const folder = layers.at(-1)?.facets[kind][0] ?? '';
  return {
    missing: `there is no ${kindName[kind]} "${name}"`,
    fix: `${hint}Write .takt/${folder}/${name}.md, or the words themselves.${kind === 'personas' ? ` To choose an agent: "provider: ${name}".` : ''}`,
    isNear: hint !== '',
  };
}

function byPath(file: string, from: Source, root: string): Text | Missing {
  const found = readBelow(from.folder, path.resolve(path.dirname(from.file), file));
  if (found) return { name: stem(file), ...found };
  return {
    missing: `there is no file ${file}`,
    fix: `Write it, or mend the path: it is meant from ${path.relative(root, path.dirname(from.file)) || '.'}.`,
  };
}

function called(layers: readonly Layer[], name: string, from: Source, root: string): Source | Missing {
  const found = isPath(name)
    ? readSource(from, path.resolve(path.dirname(from.file), name))
    : sourceNamed(layers, name);
  if (found) return found;
  const { missing, fix: todo } = noWorkflow(name, layers, root);
  return { missing, fix: todo.text };
}

const mostNames = 10;

export function noWorkflow(
  name: string,
  layers: readonly Layer[],
  root: string,
): { missing: string; fix: Fix } {
  const names = workflowNames(layers).toSorted();
  const guess = isPath(name) ? undefined : nearest(name, names);
  const hint = guess === undefined ? '' : `did you mean "${guess}"? `;
  const shown = path.isAbsolute(name) ? path.relative(root, name) : name;
  const some = `${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? ', …' : ''}`;
  const file = isPath(name) ? shown : `.takt/workflows/${name}.yaml`;
  const todo = fix`${hint}name one that is there (${some}; ${command`workflow list`} shows all), or write ${file}`;
  return { missing: `there is no workflow ${shown}`, fix: todo };
}

/** What may not be read is missing, for a reason. */
function orMissing<T>(look: () => T | Missing): T | Missing {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    return { missing: error.message, fix: error.fix };
  }
}

const longestWorkflow = 1024 * 1024;
const longestText = 256 * 1024;

/** A text below a folder; undefined: there is none. What leads out of the folder is an error. */
function readBelow(folder: string, file: string): { file: string; text: string } | undefined {
  if (!isDirectory(folder)) return undefined;
  const place = inside(folder, file);
  const text = readTextFile(place, longestText);
  return text === undefined ? undefined : { file: place, text };
}

/** A workflow's file below a folder; undefined: there is none. */
export function readSource(
  { layer, folder }: Pick<Source, 'layer' | 'folder'>,
  file: string,
): Source | undefined {
  const place = inside(folder, file);
  const text = readTextFile(place, longestWorkflow);
  return text === undefined ? undefined : { layer, folder, name: stem(file), file: place, text };
}

/** Neither `..` nor a link leads out of a layer's folder. */
function inside(folder: string, file: string): string {
  try {
    return placeInside(folder, file);
  } catch (error) {
    if (!(error instanceof DocketError) || error.code !== 'REFUSED') throw error;
    const fix = 'keep what a workflow needs beside it, in the same folder';
    throw new DocketError('REFUSED', `${file} leads out of ${folder}`, fix, error.data, { cause: error });
  }
}

/** The workflows of a layer, by name. One that cannot be read is told and hides no other. */
export function sourcesIn(layer: Layer, refused: (file: string, error: DocketError) => void): Source[] {
  const found = new Map<string, Source>();
  for (const file of layer.workflows.flatMap((below) => filesIn(path.join(layer.folder, below)))) {
    if (found.has(stem(file))) continue;
    try {
      const source = readSource({ layer: layer.name, folder: layer.folder }, file);
      if (source) found.set(source.name, source);
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      refused(file, error);
    }
  }
  return [...found.values()];
}

function filesIn(folder: string, ending = /\.ya?ml$/): string[] {
  if (!isDirectory(folder)) return [];
  const names = listDir(folder).filter((name) => ending.test(name) && !name.startsWith('.'));
  return names.toSorted().map((name) => path.join(folder, name));
}

function stem(file: string): string {
  return path.basename(file).replace(/\.[^.]*$/, '');
}
