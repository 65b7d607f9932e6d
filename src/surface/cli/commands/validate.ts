import { resolve } from 'node:path';
import { DocketError } from '../../../errors.ts';
import { rootOption, type Context } from '../context.ts';
import { findingText } from '../findings.ts';
import type { Finding } from '../world.ts';

export async function run(context: Context): Promise<number> {
  const { world, globals, out } = context;
  const { findings, refused } = await check(context);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const failure = refused ?? (errors > 0 ? invalid(findings, errors) : undefined);
  if (globals.json) {
    if (failure === undefined) out.answer({ findings });
    else out.refuse(failure, { findings });
  } else {
    const texts = findings.map((finding) => findingText(finding, world.cwd, out.paintData));
    if (texts.length > 0) out.data(texts.join('\n'));
    out.talk(failure === undefined ? summary(findings) : failure.message);
  }
  return failure?.exitCode ?? 0;
}

/** Every path is looked at: one that cannot be checked is a problem among the others, not the end. */
async function check(context: Context): Promise<{ findings: Finding[]; refused: DocketError | undefined }> {
  const { args, world } = context;
  const { validate, findRoot } = await world.app();
  const paths =
    args.operands.length > 0
      ? new Set(args.operands.map((path) => resolve(world.cwd, path)))
      : [findRoot({ cwd: world.cwd, ...rootOption(context) })];
  const findings: Finding[] = [];
  let refused: DocketError | undefined;
  for (const path of paths) {
    try {
      findings.push(...(await validate(path)));
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      refused ??= error;
      findings.push({ severity: 'error', path, message: error.message, fix: error.fix });
    }
  }
  return { findings, refused };
}

function invalid(findings: readonly Finding[], errors: number): DocketError {
  const files = new Set(findings.filter(({ severity }) => severity === 'error').map(({ path }) => path)).size;
  const message = `${count(errors, 'error')} in ${count(files, 'file')}`;
  const data = { errors, warnings: findings.filter(({ severity }) => severity === 'warning').length };
  return new DocketError('INVALID', message, 'mend what "findings" names, then validate again', data);
}

function summary(findings: readonly Finding[]): string {
  return findings.length === 0 ? 'No problems found.' : `No errors; ${count(findings.length, 'remark')}.`;
}

function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}
