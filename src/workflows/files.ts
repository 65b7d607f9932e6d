import path from 'node:path';
import { DocketError } from '../errors.ts';
import { listDir } from '../io/files.ts';
import { isDirectory } from '../io/find-up.ts';
import { placeInside } from '../io/inside.ts';
import { readTextFile } from '../io/text-file.ts';
import type { Source } from '../workflow/file/library.ts';
import type { Layer } from './layers.ts';

const longestWorkflow = 1024 * 1024;
const longestText = 256 * 1024;

/** A text below a folder; undefined: there is none. What leads out of the folder is an error. */
export function readBelow(folder: string, file: string): { file: string; text: string } | undefined {
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

export function filesIn(folder: string, ending = /\.ya?ml$/): string[] {
  if (!isDirectory(folder)) return [];
  const names = listDir(folder).filter((name) => ending.test(name) && !name.startsWith('.'));
  return names.toSorted().map((name) => path.join(folder, name));
}

export function stem(file: string): string {
  return path.basename(file).replace(/\.[^.]*$/, '');
}
