import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { createFile } from '../../io/files.ts';
import { realFolder } from '../../io/links.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { packageRoot } from '../../io/package-root.ts';
import { readTextFile } from '../../io/text-file.ts';
import { makeTaktFolder } from '../../kinds/queue/add-files.ts';
import { isBuiltIn } from '../../task/id.ts';
import { compileHere, findSource, invalid } from '../../workflows/find.ts';
import { layersOf, type Here } from '../../workflows/layers.ts';
import { sourceNamed } from '../../workflows/library.ts';
import type { NewWorkflow } from './workflows.ts';

const maxBytes = 1024 * 1024;
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** It is checked before it is written: what one begins with has to work. */
export function makeWorkflow({ name, from }: NewWorkflow, here: Here): { name: string; file: string } {
  if (!namePattern.test(name) || isBuiltIn(name))
    throw new DocketError(
      'INVALID',
      `"${name}" cannot be a workflow's name`,
      'use letters, digits, "_" and "-"',
      { name },
    );
  const own = layersOf(here).filter((layer) => layer.name === 'project');
  const there = sourceNamed(own, name);
  if (there) throw taken(name, there.file);
  const root = realFolder(here.root);
  const source = 'workflow' in from ? findSource(from.workflow, here) : undefined;
  const text = renamed('workflow' in from ? (source?.text ?? '') : templateText(from.template), name);
  const folder = path.join(root, '.takt');
  const file = path.join(folder, 'workflows', `${name}.yaml`);
  const { problems } = compileHere({ name, file, text, layer: 'project', folder }, here, { alone: true });
  if (problems.some(isError)) {
    // The fault is in what it was copied from, where that has one: there it can be mended.
    const faults = source ? compileHere(source, here, { alone: true }).problems : [];
    throw faults.some(isError) && source ? invalid(source.name, faults, root) : invalid(name, problems, root);
  }
  makeTaktFolder(root);
  makeOwnFolder(root, '.takt', 'workflows');
  if (!createFile(file, text, { sync: true })) throw taken(name, file);
  return { name, file };
}

function isError({ severity }: { severity: string }): boolean {
  return severity === 'error';
}

function templateText(template: string): string {
  return readTextFile(path.join(packageRoot(), 'workflows', 'templates', `${template}.yaml`), maxBytes) ?? '';
}

/** Its name, and where a comment of a template speaks of it. */
function renamed(text: string, name: string): string {
  return text.replaceAll(/\bNAME\b/g, name).replace(/^name:[^\n#]*/m, `name: ${name}`);
}

function taken(name: string, file: string): DocketError {
  return new DocketError(
    'REFUSED',
    `there is a workflow ${name} already: ${file}`,
    `choose another name, or edit ${file}`,
    {
      name,
      file,
    },
  );
}
