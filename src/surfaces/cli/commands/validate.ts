import { resolve } from 'node:path';
import { DocketError } from '../../../errors.ts';
import type { Definition } from '../frame/command.ts';
import { rootOption, withDocket, type Context } from '../frame/context.ts';
import { tellFindings } from '../frame/findings.ts';
import * as json from '../frame/json.ts';
import type { Finding } from '../frame/world.ts';

export const command: Definition = {
  operand: { kind: 'file', label: '[path|task…]', min: 0, max: Infinity },
  options: [],
  notes: [
    'Files, or a task of any kind: of the queue, a task directory, a packet, the',
    'board. Without either it checks the root. Nothing is changed.',
    'Exit code: 0 no errors, 2 errors.',
  ],
  examples: ['docket validate', 'docket validate .takt/tasks.yaml', 'docket validate packet:login'],
  answer: json.one(
    'What is wrong with files or tasks; it fails when one is in error.',
    { findings: json.findings },
    { beside: { findings: json.findings } },
  ),
  run,
};

async function run(context: Context): Promise<number> {
  const { findings, refused } = await check(context);
  return tellFindings(findings, context, refused);
}

/** Everything is looked at: what cannot be checked is a problem among the others, not the end. */
async function check(context: Context): Promise<{ findings: Finding[]; refused: DocketError | undefined }> {
  const { args, world } = context;
  const { validate, findRoot } = await world.docket();
  const named =
    args.operands.length > 0
      ? args.operands
      : [(await findRoot({ cwd: world.cwd, env: world.env, ...rootOption(context) })).root];
  const byPath = new Map(named.map((name) => [resolve(world.cwd, name), name]));
  const findings: Finding[] = [];
  let refused: DocketError | undefined;
  for (const [path, name] of byPath) {
    try {
      findings.push(...(await validate(path, world.env).catch((error) => checkTask(name, error, context))));
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      refused ??= error;
      findings.push({ severity: 'error', path, message: error.message, fix: error.fix });
    }
  }
  return { findings, refused };
}

/** A name that no file has may be that of a task. */
async function checkTask(name: string, noFile: unknown, context: Context): Promise<Finding[]> {
  if (!(noFile instanceof DocketError) || noFile.code !== 'NOT_FOUND') throw noFile;
  return withDocket(context, async (docket) => {
    try {
      return await docket.check(name);
    } catch (error) {
      const isNoTask = error instanceof DocketError && error.code === 'NOT_FOUND';
      throw isNoTask ? noFile : error;
    }
  });
}
