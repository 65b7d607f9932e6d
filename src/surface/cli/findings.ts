import { isAbsolute, relative } from 'node:path';
import type { Context } from './context.ts';
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

/** Beside another answer: only errors are loud enough for --quiet. */
export function warnOf(findings: readonly Finding[], { world, out }: Context): void {
  for (const finding of findings) {
    const text = findingText(finding, world.cwd, out.paintTalk);
    if (finding.severity === 'error') out.alarm(text);
    else out.talk(text);
  }
}

function shownPath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path;
  const near = relative(cwd, path);
  if (near === '') return '.';
  return near.startsWith('..') || isAbsolute(near) ? path : near;
}
