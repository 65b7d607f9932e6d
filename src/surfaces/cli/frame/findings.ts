import { isAbsolute, relative } from 'node:path';
import { DocketError } from '../../../errors.ts';
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

/** The answer of a command that checks, and its exit code. `refused`: what could not even be looked at. */
export function tellFindings(findings: readonly Finding[], context: Context, refused?: DocketError): number {
  const { world, globals, out } = context;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const failure = refused ?? (errors > 0 ? invalid(findings, errors) : undefined);
  if (globals.json) {
    if (failure === undefined) out.answer({ findings });
    else out.refuse(refused ?? withFirst(failure, findings), { findings });
  } else {
    const texts = findings.map((finding) => findingText(finding, world.cwd, out.paintData));
    if (texts.length > 0) out.data(texts.join('\n'));
    out.talk(failure === undefined ? summary(findings) : failure.message);
  }
  return failure?.exitCode ?? 0;
}

function invalid(findings: readonly Finding[], errors: number): DocketError {
  const files = new Set(findings.filter(({ severity }) => severity === 'error').map(({ path }) => path)).size;
  const message = `${count(errors, 'error')} in ${count(files, 'file')}`;
  const data = { errors, warnings: findings.filter(({ severity }) => severity === 'warning').length };
  return new DocketError(
    'INVALID',
    message,
    'mend what "findings" names, then check again: docket validate',
    data,
  );
}

/** Whoever reads only the error gets the first finding, with its place. */
export function withFirst<E extends { code: string; message: string; fix: string; data: unknown }>(
  error: E,
  findings: readonly Finding[],
): Pick<E, 'code' | 'message' | 'fix' | 'data'> {
  const { code, data } = error;
  const first = findings.find(({ severity }) => severity === 'error') ?? findings[0];
  if (first === undefined) return error;
  const place = [first.path, first.line, first.column].filter((part) => part !== undefined).join(':');
  return { code, message: `${error.message}: ${place}: ${first.message}`, fix: error.fix, data };
}

function summary(findings: readonly Finding[]): string {
  return findings.length === 0 ? 'No problems found.' : `No errors; ${count(findings.length, 'remark')}.`;
}

function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}
