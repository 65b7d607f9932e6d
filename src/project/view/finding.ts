import path from 'node:path';
import type { Finding } from '../../store/store.ts';
import type { KindName } from '../../task/kind-names.ts';
import type { ViewFinding } from './types.ts';

/** With its place as people see it from the root. */
export function inView(
  layout: KindName,
  root: string,
  { path: file, line, message, fix, next }: Finding,
): ViewFinding {
  const place = path.isAbsolute(file) ? path.relative(root, file) : file;
  return {
    layout,
    path: line === undefined ? place : `${place}:${line}`,
    message,
    fix,
    ...(next && { next }),
  };
}
