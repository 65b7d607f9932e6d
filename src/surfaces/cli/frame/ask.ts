import type { RunInput } from '../../../project/docket.ts';
import type { Context } from './context.ts';
import { visible, visibleLines } from './visible.ts';

type Ask = NonNullable<RunInput['ask']>;

/** Asks the person at the terminal, one question at a time. Undefined: nobody is there, and nothing may wait for them. */
export function askPerson({ world, out }: Context): Ask | undefined {
  if (world.stdin.isTTY !== true || world.stderr.isTTY !== true) return undefined;
  const lines = linesOf(world.stdin);
  let last: Promise<unknown> = Promise.resolve();
  const one: Ask = async (question) => {
    out.alarm(`${out.paintTalk('yellow', 'asks:')} ${visibleLines(question.text)}`);
    question.options.forEach(({ text }, index) => out.alarm(`  ${index + 1}  ${visible(text)}`));
    for (;;) {
      const words = question.options.some(({ id }) => id === 'yes') ? ', y or n' : '';
      out.alarm(`Answer with a number from 1 to ${question.options.length}${words} (empty: no):`);
      const { value, done } = await lines.next();
      const said = done ? '' : value.trim();
      const no = question.options.find(({ kind }) => kind === 'deny')?.id ?? '';
      const chosen = said === '' ? no : chosenBy(said, question);
      if (chosen !== undefined) return chosen;
    }
  };
  return (question) => {
    const answer = last.then(() => one(question));
    last = answer.catch(() => undefined);
    return answer;
  };
}

/** By its number; where the answers are yes and no, also in these words. */
function chosenBy(said: string, { options }: Parameters<Ask>[0]): string | undefined {
  const word = { y: 'yes', yes: 'yes', n: 'no', no: 'no' }[said.toLowerCase()];
  return options.find(({ id }, index) => id === word || String(index + 1) === said)?.id;
}

async function* linesOf(source: Context['world']['stdin']): AsyncGenerator<string, undefined> {
  let rest = '';
  for await (const chunk of source) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  return undefined;
}
