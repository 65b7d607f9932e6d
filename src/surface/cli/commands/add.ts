import { resolve } from 'node:path';
import type { AddInput } from '../../../app.ts';
import { DocketError } from '../../../errors.ts';
import { withApp, type Context } from '../context.ts';
import { nameOf } from '../name.ts';
import { readStdin } from '../stdin.ts';
import { visible } from '../visible.ts';

export async function run(context: Context): Promise<number> {
  const input = await readInput(context);
  const task = await withApp(context, (app) => app.add(input));
  const { globals, out } = context;
  const name = nameOf(task);
  if (globals.json) out.answer({ id: task.id, status: task.status, name, title: task.title });
  else if (globals.quiet) out.data(task.id);
  else {
    const called = name === task.id ? '' : ` ${visible(name)}`;
    out.data(`${task.status} ${task.id}${called}; see it with: docket list`);
  }
  return 0;
}

async function readInput(context: Context): Promise<AddInput> {
  const { options } = context.args;
  const last = (name: string): string | undefined => options.get(name)?.at(-1);
  const text = await textOf(context, last('file'));
  if (text.trim() === '') {
    throw usage('the task has no text', 'say what is to be done: docket add "Fix the flaky login test"');
  }
  const name = last('name');
  const workflow = last('workflow');
  const priority = last('priority');
  const needs = options.get('needs');
  const key = last('key');
  return {
    text,
    ...(name !== undefined && { name }),
    ...(workflow !== undefined && { workflow }),
    ...(priority !== undefined && { priority: Number(priority) }),
    ...(needs !== undefined && { needs }),
    ...(key !== undefined && { key }),
  };
}

async function textOf({ args, world, out }: Context, file: string | undefined): Promise<string> {
  const { operands } = args;
  if (file !== undefined && operands.length > 0) {
    throw usage('the text comes twice: as words and with --file', 'give one of them');
  }
  if (operands.includes('-') && operands.length > 1) {
    throw usage('"-" reads the text from stdin and cannot stand beside words', 'give one of them');
  }
  if (file === '-' || operands[0] === '-') {
    if (world.stdin.isTTY === true) out.talk('Type the task; end with Ctrl-D.');
    return readStdin(world.stdin);
  }
  if (file === undefined) return operands.join(' ');
  return (await world.app()).readText(resolve(world.cwd, file));
}

function usage(message: string, fix: string): DocketError {
  return new DocketError('USAGE', message, `${fix} (see docket add --help)`);
}
