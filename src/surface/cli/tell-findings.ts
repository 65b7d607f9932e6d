import { DocketError } from '../../errors.ts';
import type { Context } from './context.ts';
import { findingText } from './findings.ts';
import type { Finding } from './world.ts';

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
