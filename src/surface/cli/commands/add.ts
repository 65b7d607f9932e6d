import { resolve } from 'node:path';
import type { AddInput } from '../../../app.ts';
import { last, usage } from '../args.ts';
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
  const { args } = context;
  const text = await textOf(context, last(args, 'file'));
  if (text.trim() === '') {
    throw usage(
      'the task has no text',
      'say what is to be done: docket add "Fix the flaky login test"',
      'add',
    );
  }
  const name = last(args, 'name');
  const workflow = last(args, 'workflow');
  const priority = last(args, 'priority');
  const needs = args.options.get('needs');
  const key = last(args, 'key');
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
    throw usage('the text comes twice: as words and with --file', 'give one of them', 'add');
  }
  if (operands.includes('-') && operands.length > 1) {
    throw usage('"-" reads the text from stdin and cannot stand beside words', 'give one of them', 'add');
  }
  if (file === '-' || operands[0] === '-') {
    if (world.stdin.isTTY === true) out.talk('Type the task; end with Ctrl-D.');
    return readStdin(world.stdin);
  }
  if (file === undefined) return operands.join(' ');
  return (await world.app()).readText(resolve(world.cwd, file));
}
