import { isAbsolute, relative } from 'node:path';
import type { Color, Paint } from './style.ts';
import { visible } from './visible.ts';
import type { Finding } from './world.ts';

const colors: Readonly<Record<Finding['severity'], Color>> = { note: 'dim', warning: 'yellow', error: 'red' };

/** `path:line:column severity message`, then the fix. Paths are shown as seen from where the person stands. */
export function findingText(finding: Finding, cwd: string, paint: Paint): string {
  const { severity, message, fix } = finding;
  const where = [shownPath(finding.path, cwd), finding.line, finding.column].filter(
    (part) => part !== undefined,
  );
  const head = `${visible(where.join(':'))} ${paint(colors[severity], severity)} ${visible(message)}`;
  return fix === '' ? head : `${head}\n  fix: ${visible(fix)}`;
}

function shownPath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path;
  const near = relative(cwd, path);
  if (near === '') return '.';
  return near.startsWith('..') || isAbsolute(near) ? path : near;
}
