import { createHash } from 'node:crypto';
import path from 'node:path';
import { removeFile } from '../../io/files.ts';
import { removeTree, renamePath } from '../../io/folders.ts';
import { realFolder } from '../../io/links.ts';
import { ignoreOwn, makeOwnFolder } from '../../io/own-folder.ts';
import { readSmallFile, writePlain } from '../../io/plain-file.ts';
import type { EnvironmentOptions } from './plan.ts';

/** What was set up: which list was copied, which list of commands is run, and how many of them have ended well. */
interface Made {
  copied: string;
  commands: string;
  done: number;
}

/** docket's own folder for what it notes about one task's, or one place's, setting. */
export function environmentFolder(root: string, key: string): string {
  const own = makeOwnFolder(root, '.docket');
  ignoreOwn(own);
  return makeOwnFolder(own, 'setup', key);
}

/** Work in place is set up once for all who work there; a workspace is one task's alone. */
export function placeKey({ key, workspace, cwd }: EnvironmentOptions): string {
  if (workspace) return key;
  return `place-${createHash('sha256').update(realFolder(cwd())).digest('hex').slice(0, 16)}`;
}

export function forgetEnvironment(root: string, key: string): void {
  removeTree(environmentFolder(root, key));
}

const madeFile = 'made.json';
const portsFile = 'ports.json';

/** Agents can write there too: what makes no sense is not there. */
export function readMade(folder: string): Made | undefined {
  const { copied, commands, done } = readJson(path.join(folder, madeFile));
  if (typeof copied !== 'string' || typeof commands !== 'string' || !Number.isSafeInteger(done))
    return undefined;
  return { copied, commands, done: done as number };
}

export function writeMade(folder: string, made: Made): void {
  writeWhole(path.join(folder, madeFile), made);
}

export function forgetMade(folder: string): void {
  removeFile(path.join(folder, madeFile));
}

export function readPorts(folder: string): Record<string, number> {
  const ports = Object.entries(readJson(path.join(folder, portsFile)));
  return Object.fromEntries(ports.filter((pair): pair is [string, number] => Number.isSafeInteger(pair[1])));
}

export function writePorts(folder: string, ports: Readonly<Record<string, number>>): void {
  writeWhole(path.join(folder, portsFile), ports);
}

function readJson(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readSmallFile(file) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {}; // cut off by a power loss, or not ours
    throw error;
  }
}

/** The old one or the new one; a link in its place is replaced, not followed. */
function writeWhole(file: string, value: object): void {
  writePlain(`${file}.new`, `${JSON.stringify(value)}\n`);
  renamePath(`${file}.new`, file);
}
