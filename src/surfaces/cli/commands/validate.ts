import { resolve } from 'node:path';
import { DocketError } from '../../../errors.ts';
import type { Definition } from '../frame/command.ts';
import { rootOption, type Context } from '../frame/context.ts';
import { tellFindings } from '../frame/findings.ts';
import * as json from '../frame/json.ts';
import type { Finding } from '../frame/world.ts';

export const command: Definition = {
  operand: { kind: 'file', label: '[path…]', min: 0, max: Infinity },
  options: [],
  notes: ['Without a path it checks the root. Nothing is changed.', 'Exit code: 0 no errors, 2 errors.'],
  examples: ['docket validate', 'docket validate .takt/tasks.yaml', 'docket validate --json'],
  answer: json.one(
    'What is wrong with files; it fails when one is in error.',
    { findings: json.findings },
    { beside: { findings: json.findings } },
  ),
  run,
};

async function run(context: Context): Promise<number> {
  const { findings, refused } = await check(context);
  return tellFindings(findings, context, refused);
}

/** Every path is looked at: one that cannot be checked is a problem among the others, not the end. */
async function check(context: Context): Promise<{ findings: Finding[]; refused: DocketError | undefined }> {
  const { args, world } = context;
  const { validate, findRoot } = await world.docket();
  const paths =
    args.operands.length > 0
      ? new Set(args.operands.map((path) => resolve(world.cwd, path)))
      : [(await findRoot({ cwd: world.cwd, env: world.env, ...rootOption(context) })).root];
  const findings: Finding[] = [];
  let refused: DocketError | undefined;
  for (const path of paths) {
    try {
      findings.push(...(await validate(path, world.env)));
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      refused ??= error;
      findings.push({ severity: 'error', path, message: error.message, fix: error.fix });
    }
  }
  return { findings, refused };
}
