import fs from 'node:fs';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { around } from './fault.ts';
import { attempt, codeOf, ioError } from './io-error.ts';
import { modeOfNew } from './private-files.ts';

/** Anybody may have put something else there: a pipe that nobody fills, or a device without an end, is no file. */
export function readBytes(file: string): Buffer | undefined {
  return unlessMissing(() => attempt('read', file, () => withFile(file, (fd) => fs.readFileSync(fd))));
}

/** So many bytes from a place on, or as many as there are. */
export function readPart(file: string, start: number, length: number): Buffer | undefined {
  return unlessMissing(() =>
    attempt('read', file, () =>
      withFile(file, (fd) => {
        const bytes = Buffer.allocUnsafeSlow(length);
        return bytes.subarray(0, fs.readSync(fd, bytes, 0, length, start));
      }),
    ),
  );
}

/** What a person named on the command line, which may be a pipe. */
export function readNamed(file: string): Buffer | undefined {
  return unlessMissing(() => attempt('read', file, () => fs.readFileSync(file)));
}

function withFile<T>(file: string, use: (fd: number) => T): T {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    assertFile(file, fs.fstatSync(fd));
    return use(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** A folder has an error of its own. */
export function assertFile(file: string, stat: fs.Stats): void {
  if (stat.isFile() || stat.isDirectory()) return;
  throw new DocketError('BAD_FILE', `${file} is a pipe or a device`, 'put a file there', { path: file });
}

export function listDir(dir: string): string[] {
  return unlessMissing(() => attempt('list', dir, () => fs.readdirSync(dir))) ?? [];
}

/** The names of the folders in it; a link counts as what it leads to. Looks at no entry by itself unless it is a link. */
export function listFolders(dir: string): string[] {
  const entries = unlessMissing(() =>
    attempt('list', dir, () => fs.readdirSync(dir, { withFileTypes: true })),
  );
  return (entries ?? [])
    .filter((entry) => entry.isDirectory() || (!entry.isFile() && isFolder(path.join(dir, entry.name))))
    .map(({ name }) => name);
}

function isFolder(file: string): boolean {
  return attempt('look at', file, () => fs.statSync(file, { throwIfNoEntry: false }))?.isDirectory() ?? false;
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

/** The same of the name itself: a link is a link, wherever it leads. */
export function ownFingerprint(file: string): string | undefined {
  const stat = attempt('look at', file, () => fs.lstatSync(file, { bigint: true, throwIfNoEntry: false }));
  return stat && `${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`;
}

/** When its content last changed, in milliseconds. Undefined: there is no file. */
export function changedAt(file: string): number | undefined {
  return attempt('look at', file, () => fs.statSync(file, { throwIfNoEntry: false }))?.mtimeMs;
}

export function sizeAndInode(file: string): { size: number; ino: number } | undefined {
  return attempt('look at', file, () => fs.statSync(file, { throwIfNoEntry: false }));
}

/** Many parts are written one after the other: who copies most of a long file need not put it together first. */
type Content = Uint8Array | string | readonly Uint8Array[];

/**
 * Readers see the old file or the new one, never a part. A symlink stays one: its target is replaced. The temp
 * name is fixed, because only the holder of the store's lock writes here: a crash leaves one file at the most.
 * `still` is asked at the last moment; false, for both: the file stays as it is. `own`: a file that only docket writes,
 * so what else stands at its name was planted: it is replaced, and where a link leads is left alone.
 */
export function replaceFile(
  file: string,
  content: Content,
  options: { sync?: boolean; still?: () => boolean; own?: boolean; mode?: number } = {},
): boolean {
  const target = options.own ? file : realTarget(file);
  const temp = path.join(path.dirname(target), `.${path.basename(target)}.docket-tmp`);
  writeTemp(temp, content, { ...options, like: modelFor(target, options.own) });
  try {
    if (options.still?.() === false) {
      removeQuietly(temp);
      return false;
    }
    attempt('replace', target, () => around('rename', target, () => renameSync(temp, target)));
  } catch (error) {
    removeQuietly(temp);
    throw error;
  }
  if (options.sync) syncDir(path.dirname(target));
  return true;
}

/** Makes the file with its whole content, or leaves the one that is there. */
export function createFile(
  file: string,
  content: string | Uint8Array,
  options: { sync?: boolean; mode?: number } = {},
): boolean {
  if (fs.existsSync(file)) return false;
  // Not under a lock, so each process has a name of its own.
  const temp = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.docket-tmp`);
  writeTemp(temp, content, options);
  try {
    return linkFile(temp, file);
  } finally {
    removeFile(temp);
    if (options.sync) syncDir(path.dirname(file));
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

/** For what is only in the way: the error that matters is another one, or there is none. */
export function removeQuietly(file: string): void {
  try {
    removeFile(file);
  } catch {
    // It stays, and harms nobody.
  }
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
  content: Content,
  options: { sync?: boolean; like?: fs.Stats | undefined; mode?: number },
): void {
  attempt('write', temp, () => {
    const fd = openNew(temp, options.mode);
    try {
      if (options.like) makeLike(fd, options.like);
      const parts = Array.isArray(content)
        ? (content as readonly Uint8Array[])
        : [content as Uint8Array | string];
      around('write', temp, () => parts.forEach((part) => fs.writeFileSync(fd, part)));
      if (options.sync) around('fsync', temp, () => fs.fsyncSync(fd));
    } catch (error) {
      removeQuietly(temp);
      throw error;
    } finally {
      fs.closeSync(fd);
    }
  });
}

/** Never through a link that somebody planted at the temp name. */
function openNew(temp: string, mode = modeOfNew(temp)): number {
  const open = () => around('open', temp, () => fs.openSync(temp, 'wx', mode));
  try {
    return open();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    removeFile(temp);
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

/** The owner first, because changing it takes mode bits away. Only root can give a file back to its owner. */
function makeLike(fd: number, { uid, gid, mode }: fs.Stats): void {
  const now = fs.fstatSync(fd);
  if (now.uid !== uid || now.gid !== gid) {
    try {
      fs.fchownSync(fd, uid, gid);
    } catch (error) {
      if (codeOf(error) !== 'EPERM') throw error;
    }
  }
  if (now.mode !== mode) fs.fchmodSync(fd, mode & 0o7777);
}

/** Undefined: there is none, or it is to go. A device or a pipe where a link leads is nobody's text: it stays. */
function modelFor(target: string, own = false): fs.Stats | undefined {
  const stat = fs.lstatSync(target, { throwIfNoEntry: false });
  if (!stat || stat.isFile()) return stat;
  if (own || stat.isSymbolicLink() || stat.isDirectory()) return undefined; // the rename itself refuses a folder
  throw new DocketError(
    'BAD_FILE',
    `${target} is not a plain file`,
    `see what leads there, and take it away: ls -l ${target}`,
    { path: target },
  );
}

/** Where a link leads, also when there is nothing yet. */
function realTarget(file: string): string {
  const found = unlessMissing(() => fs.realpathSync(file));
  if (found !== undefined) return found;
  const isLink = fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  return isLink ? path.resolve(path.dirname(file), fs.readlinkSync(file)) : file;
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
