import { usage } from '../args.ts';
import type { Context } from '../context.ts';
import { readStdin } from '../stdin.ts';

/** What is said: the words of the line, or stdin for "-". */
export async function textOf({ args, world }: Context, command: string): Promise<string> {
  const text =
    args.operands.length === 1 && args.operands[0] === '-'
      ? await readStdin(world.stdin)
      : args.operands.join(' ');
  if (text.trim() !== '') return text;
  throw usage('there is nothing said', `say what you want: docket ${command} "status"`, command);
}
