import fs from 'node:fs';
import path from 'node:path';
import { around } from './fault.ts';
import { attempt, codeOf, ioError } from './io-error.ts';

export function readBytes(file: string): Buffer | undefined {
  return unlessMissing(() => attempt('read', file, () => fs.readFileSync(file)));
}

export function listDir(dir: string): string[] {
  return unlessMissing(() => attempt('list', dir, () => fs.readdirSync(dir))) ?? [];
}

export function makeDir(dir: string): void {
  if (fs.existsSync(dir)) return;
  attempt('create the folder', dir, () => around('mkdir', dir, () => fs.mkdirSync(dir, { recursive: true })));
}

/** Tells one version of a file from another without reading it. Undefined: there is no file. */
export function fingerprint(file: string): string | undefined {
  const stat = attempt('look at', file, () => fs.statSync(file, { bigint: true, throwIfNoEntry: false }));
  return stat && `${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`;
}

export function sizeAndInode(file: string): { size: number; ino: number } | undefined {
  return attempt('look at', file, () => fs.statSync(file, { throwIfNoEntry: false }));
}

/**
 * Readers see the old file or the new one, never a part. A symlink stays one: its target is replaced. The temp
 * name is fixed, because only the holder of the store's lock writes here: a crash leaves one file at the most.
 */
export function replaceFile(
  file: string,
  content: Uint8Array | string,
  options: { sync?: boolean } = {},
): void {
  const target = realTarget(file);
  const temp = path.join(path.dirname(target), `.${path.basename(target)}.docket-tmp`);
  writeTemp(temp, content, { ...options, mode: modeOf(target) });
  attempt('replace', target, () => around('rename', target, () => renameSync(temp, target)));
  if (options.sync) syncDir(path.dirname(target));
}

/** Makes the file with its whole content, or leaves the one that is there. */
export function createFile(file: string, content: string | Uint8Array): boolean {
  if (fs.existsSync(file)) return false;
  const temp = path.join(path.dirname(file), `.${path.basename(file)}.docket-tmp`);
  writeTemp(temp, content, {});
  try {
    return linkFile(temp, file);
  } finally {
    removeFile(temp);
  }
}

/** False when something has that name already. The content is complete before the name exists. */
export function linkFile(existing: string, name: string): boolean {
  try {
    around('link', name, () => fs.linkSync(existing, name));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw ioError(error, 'create', name);
  }
}

export function removeFile(file: string): void {
  unlessMissing(() => attempt('remove', file, () => around('unlink', file, () => fs.unlinkSync(file))));
}

export function syncDir(dir: string): void {
  if (process.platform === 'win32') return;
  attempt('flush', dir, () => {
    const fd = fs.openSync(dir, 'r');
    try {
      around('fsync', dir, () => fs.fsyncSync(fd));
    } finally {
      fs.closeSync(fd);
    }
  });
}

export function writeTemp(
  temp: string,
  content: Uint8Array | string,
  options: { sync?: boolean; mode?: number | undefined },
): void {
  attempt('write', temp, () => {
    const fd = openNew(temp, options.mode);
    try {
      around('write', temp, () => fs.writeFileSync(fd, content));
      if (options.sync) around('fsync', temp, () => fs.fsyncSync(fd));
    } catch (error) {
      fs.rmSync(temp, { force: true });
      throw error;
    } finally {
      fs.closeSync(fd);
    }
  });
}

/** Never through a link that somebody planted at the temp name. */
function openNew(temp: string, mode: number | undefined): number {
  const open = () => around('open', temp, () => fs.openSync(temp, 'wx', mode ?? 0o666));
  try {
    return open();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    fs.unlinkSync(temp);
    return open();
  }
}

/** Windows refuses to replace a file that a scanner has open for a moment. */
function renameSync(from: string, to: string): void {
  for (let tries = 0; ; tries += 1) {
    try {
      fs.renameSync(from, to);
      return;
    } catch (error) {
      const passing = ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '');
      if (process.platform !== 'win32' || !passing || tries >= 40) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

function realTarget(file: string): string {
  return unlessMissing(() => fs.realpathSync(file)) ?? file;
}

function modeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.mode;
}

function unlessMissing<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    const errno = codeOf(error instanceof Error && error.cause ? error.cause : error);
    if (errno === 'ENOENT') return undefined;
    throw error;
  }
}
