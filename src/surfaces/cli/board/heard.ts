import { DocketError } from '../../../errors.ts';
import type { Docket } from '../../../project/docket.ts';
import { last, readStdin, usage } from '../frame/args.ts';
import { type Context, withDocket } from '../frame/context.ts';
import type { Args } from '../frame/parse.ts';
import { visible } from '../frame/visible.ts';
import type { World } from '../frame/world.ts';

type Board = Awaited<ReturnType<Docket['board']>>;
type Heard = Awaited<ReturnType<Board['say']>>;
type Said = Omit<Parameters<Board['say']>[0], keyof Control>;
/** What goes with every request: when to stop, and who hears how far it is. */
type Control = Pick<Parameters<Board['say']>[0], 'signal' | 'onStep' | 'onProgress' | 'isHeard'>;
/** How those who work meanwhile are shown; default: a line for each that has ended. */
type Shown = Omit<Control, 'signal' | 'isHeard'>;

/** Says it, and prints the answer. */
export function tellHeard(said: Said, context: Context): Promise<number> {
  return tellAnswer((board, control) => board.say({ ...said, ...control }), context);
}

/** Asks the board for something, and prints the answer. The exit code follows it: a refusal is one, whatever its words. */
export async function tellAnswer(
  ask: (board: Board, control: Control) => Promise<Heard>,
  context: Context,
  shown: Shown = endsOnly(context),
): Promise<number> {
  const { out, globals, world } = context;
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort('shutdown'));
  try {
    const { heard, queued } = await withDocket(context, async (docket) => {
      const isHeard = async (): Promise<boolean> => (await docket.chats()).reachesGroup();
      const control: Control = { signal: stop.signal, isHeard, ...shown };
      const heard = await ask(await docket.board(), control);
      return { heard, queued: await handOn(heard, docket) };
    });
    const { outcome, reply, route, notices, acceptance } = heard;
    const { intent, ...about } = route.intent;
    const error = refusalOf(heard);
    const more = { ...(acceptance && { acceptance }), ...(queued !== undefined && { queued }) };
    const data = { intent, ...about, outcome, reply, notices, ...more };
    if (!globals.json) for (const line of reply.split('\n')) out.data(visible(line));
    else if (error === undefined) out.answer(data);
    else out.refuse(error, data);
    if (queued === false)
      out.talk('No chat serves this board: nobody was told. Pass it on yourself, or see docket chat --help');
    return error?.exitCode ?? 0;
  } finally {
    deaf();
  }
}

function endsOnly({ out }: Context): Shown {
  return {
    onStep: ({ taskId, agent, decision, detail }) =>
      out.talk(visible(`${taskId} ${agent}: ${decision}: ${detail}`)),
  };
}

/** What stands in no log is not told by who follows it. Undefined: there is nothing of that kind. */
async function handOn({ notices }: Heard, docket: Docket): Promise<boolean | undefined> {
  const isLoose = notices.some(({ seq }) => seq === 0);
  return isLoose ? (await docket.chats()).post(notices) : undefined;
}

/** What the board answered, as an error; undefined: it did what was said. The words are the board's own. */
function refusalOf({ outcome, reply }: Pick<Heard, 'outcome' | 'reply'>): DocketError | undefined {
  const message = reply
    .replace(/^\[TASK\] /, '')
    .split('\n')
    .join('; ');
  switch (outcome.kind) {
    case 'refused':
      if (outcome.code === 'not_found')
        return new DocketError('NOT_FOUND', message, 'docket board status shows what is there');
      if (outcome.code === 'invalid')
        return new DocketError('INVALID', message, 'correct it, then say it again; nothing was changed');
      return new DocketError('REFUSED', message, `see how it stands: ${look(outcome.taskId)}`);
    case 'unknown':
      return new DocketError('USAGE', message, 'see what can be said: docket say help');
    case 'bad_path':
      return new DocketError('REFUSED', message, `name a folder that is there: ${outcome.path} is none`);
    case 'throttled':
      return new DocketError(
        'TOO_SOON',
        message,
        `ask again in ${outcome.retryAfterSec} s: "docket board clarify"`,
      );
    case 'moved':
      if (outcome.move !== 'gated') return undefined;
      return new DocketError('NEEDS_PERSON', message, `see what is missing: ${look(outcome.task.taskId)}`);
    case 'autopilot':
      if (outcome.blocked === 0) return undefined;
      return new DocketError('NEEDS_PERSON', message, `see what is blocked: ${look(undefined)}`);
    case 'dispatched':
      if (outcome.ended?.decision !== 'blocked') return undefined;
      return new DocketError('NEEDS_PERSON', message, `see why: ${look(outcome.task.taskId)}`);
    default:
      return undefined;
  }
}

function look(task: string | undefined): string {
  return task === undefined ? 'docket board status' : `docket board status ${task}`;
}

const locales = ['en', 'zh', 'ja'] as const;

/** Who says it, and in which language they want to be answered. */
export function speaker(args: Args) {
  const wanted = last(args, 'locale');
  const locale = locales.find((one) => one === wanted);
  return { sender: { actor: last(args, 'as') ?? 'orchestrator', isBot: false }, ...(locale && { locale }) };
}

/** The language of the person at the terminal; that of what docket says elsewhere, where theirs is not spoken. */
export function ownLocale(env: World['env']): (typeof locales)[number] {
  const set = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  return locales.find((one) => set.toLowerCase().startsWith(one)) ?? 'en';
}

/** What is said: the words of the line, or stdin for "-". */
export async function textOf({ args, world }: Context, command: string): Promise<string> {
  const text =
    args.operands.length === 1 && args.operands[0] === '-'
      ? await readStdin(world.stdin)
      : args.operands.join(' ');
  if (text.trim() !== '') return text;
  throw usage('there is nothing said', `say what you want: docket ${command} "status"`, command);
}

/** What a text means. Nothing is done. */
export async function tellRoute(text: string, context: Context): Promise<number> {
  const { args, out, globals } = context;
  const route = await withDocket(context, async (docket) =>
    (await docket.board()).route({ text, ...speaker(args) }),
  );
  if (globals.json) out.answer({ ...route });
  else out.data(JSON.stringify(route, undefined, 2));
  return 0;
}
