import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { placeInside } from '../../io/inside.ts';
import { exists } from '../../io/links.ts';
import { isOwnFolder } from '../../io/own-folder.ts';
import { readTextFile } from '../../io/text-file.ts';
import { walk } from '../../io/walk.ts';
import type { Finding } from '../../store/store.ts';
import type { Directory, Inspection } from './format/check/inspection.ts';
import { log } from './format/log.ts';
import { isPortable } from './portable.ts';

const maxBytes = 64 * 1024 * 1024;
/** YAML takes a microsecond and more for every byte, and the store takes no longer one. */
const maxYamlBytes = 1024 * 1024;
const maxEntries = 100_000;

/** Holds a task directory against its format. Reads only, and nothing that lies in it can make it fail. */
export async function validateTaskDir(dir: string): Promise<Finding[]> {
  const { Inspection } = await import('./format/check/inspection.ts');
  const { checkDirectory } = await import('./format/check/directory.ts');
  const { checkLog } = await import('./check-log.ts');
  if (!isOwnFolder(dir))
    throw new DocketError('NOT_FOUND', `there is no task directory ${dir}`, 'docket task list shows them', {
      path: dir,
    });
  const inspection = new Inspection(directoryAt(dir));
  const { kinds } = inspection.dir;
  for (const [name, kind] of kinds)
    if (kind === 'link' && !leadsInside(dir, name))
      inspection.error(
        name,
        'it is a link that leads out, or nowhere',
        'put what it stands for in its place',
      );
  if (kinds.size >= maxEntries)
    inspection.warn('', `it holds more than ${maxEntries} names; the rest was not looked at`, 'clear it up');
  checkDirectory(inspection);
  checkLog(inspection);
  const isSpoiled = inspection.remarks.some((one) => one.severity === 'error' && one.path === log.path);
  if (!isSpoiled) await checkStore(inspection, dir);
  return inspection.remarks.map((remark) => ({ ...remark, path: path.join(dir, remark.path) }));
}

/** What only those lines tell together, and docket's own mark: whether one is missing, at the end or before it. */
async function checkStore(inspection: Inspection, dir: string): Promise<void> {
  const project = path.resolve(dir, '..', '..', '..');
  const store = path.join(project, '.docket', 'agentmesh', inspection.dir.id);
  if (!exists(path.join(store, 'store.json'))) return; // another tool's
  const { faultIn } = await import('../../store/upkeep/store-files.ts');
  const fault = faultIn({ root: dir, dir: store, layout: { log } });
  if (!fault) return;
  const { line } = fault.data as { line?: number };
  const message = fault.message.replace(path.join(dir, log.path), '').replace(/^[\d: ]+/, '');
  inspection.error(log.path, message, fault.fix, line);
}

function directoryAt(dir: string): Directory {
  const kinds = new Map<string, 'file' | 'folder' | 'link' | 'other'>();
  // A vendor's home is its own affair, and its login is a link to the user's.
  for (const found of walk(dir, ({ path: name }) => isPortable(name, 'folder'))) {
    if (kinds.size >= maxEntries) break;
    kinds.set(found.path, found.kind);
  }
  const project = path.resolve(dir, '..', '..', '..');
  return {
    id: path.basename(dir),
    kinds,
    read: (name) => readable(path.join(dir, name)),
    isInProject: (name) => {
      try {
        return exists(placeInside(project, name));
      } catch {
        return false;
      }
    },
  };
}

function readable(file: string): { text: string } | { problem: string; fix: string } {
  try {
    const text = readTextFile(file, file.endsWith('.yaml') ? maxYamlBytes : maxBytes);
    return text === undefined ? { problem: 'it is gone', fix: 'look again' } : { text };
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    return { problem: error.message.replace(`${file} `, 'it '), fix: error.fix };
  }
}

function leadsInside(dir: string, name: string): boolean {
  try {
    placeInside(dir, name);
    return true;
  } catch {
    return false;
  }
}
