import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { createFile } from '../io/files.ts';
import { ignoreOwn, makeOwnFolder } from '../io/own-folder.ts';
import { readSmallFile } from '../io/plain-file.ts';
import type { Here } from '../meter/book.ts';

/** A project as the account book knows it: its name stays with it when its folder is moved. Nothing is made here. */
export function knownProject(root: string): Here {
  const [, project] = /^([\da-f-]{36})\n$/.exec(readSmallFile(placeIn(root)) ?? '') ?? [];
  return { root, ...(project !== undefined && { project }) };
}

/** The same for who writes into the book: the first one makes the name. */
export function ownProject(root: string): Here {
  const known = knownProject(root);
  if (known.project !== undefined) return known;
  ignoreOwn(makeOwnFolder(root, '.docket'));
  createFile(placeIn(root), `${randomUUID()}\n`, { sync: true });
  return knownProject(root);
}

function placeIn(root: string): string {
  return path.join(root, '.docket', 'project');
}
