import * as v from 'valibot';
import { DocketError } from '../../../errors.ts';
import type { Docket, TryInput } from '../../../project/docket.ts';
import { agentEvents, exit } from '../agent/answer.ts';
import { askPerson } from '../frame/ask.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { tokensText } from '../frame/format.ts';
import * as json from '../frame/json.ts';
import { visible, visibleLines } from '../frame/visible.ts';

type Tried = Awaited<ReturnType<Docket['tryAgent']>>;
const resultFields = {
  type: v.literal('result'),
  agent: json.text,
  seconds: v.number(),
  dir: json.described(json.text, 'Where its output is kept.'),
  ...json.like<Omit<Tried['turn'], 'error'>>()(
    v.strictObject({
      session: json.maybe(json.text),
      text: json.maybe(json.text, 'The last message, whole.'),
      structured: v.optional(v.unknown()),
      usage: json.maybe(json.usage),
      sessionUsage: json.maybe(json.usage),
      files: v.array(v.strictObject({ path: json.text, change: v.picklist(['add', 'update', 'delete']) })),
      denied: json.described(v.array(json.text), 'What it was kept from.'),
      warnings: v.array(json.text),
      exit: json.maybe(exit),
    }),
  ).entries,
};

export const command: Definition = {
  operand: { kind: 'text', names: ['agent'], label: '<agent> <prompt…>', min: 2, max: Infinity },
  options: [
    {
      name: 'permission',
      summary: 'What it may do: read, edit or full',
      value: { kind: 'oneOf', label: 'LEVEL', words: ['read', 'edit', 'full'] },
    },
    { name: 'model', summary: 'Model to use', value: { kind: 'text', label: 'NAME' } },
    { name: 'resume', summary: 'Continue this session', value: { kind: 'text', label: 'ID' } },
    { name: 'fork', summary: 'Continue a copy of it (with --resume)' },
  ],
  notes: [
    'Costs what one turn of the agent costs. With --json it prints one event',
    'per line, the result last.',
  ],
  examples: ['docket agents try codex "What does this repository do?" --permission read'],
  answer: json.stream('One turn of one agent: what it says and does, then the resultFields.', 'A stream', [
    ...agentEvents.map((event) => v.strictObject({ ...event.entries, v: json.version })),
    json.answer(resultFields),
    json.refusal(resultFields),
  ]),
  run,
};

async function run(context: Context): Promise<number> {
  const { out, globals, world } = context;
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort('canceled'));
  try {
    const ask = askPerson(context);
    const input = { ...inputOf(context), signal: stop.signal, ...(ask && { ask }) };
    const tried = await withDocket(context, (docket) =>
      docket.tryAgent({ ...input, onEvent: (event) => tell(event, context) }),
    );
    const { turn, seconds, dir, agent } = tried;
    const code = exitCodeOf(turn, stop.signal.aborted);
    if (globals.json) {
      const { error, ...rest } = turn;
      const fields = { type: 'result', agent, seconds, dir, ...rest };
      if (code === 0) out.answer(fields);
      else out.refuse(errorFor(error, code, dir), fields);
    } else {
      out.talk('');
      out.talk(`session ${visible(turn.session ?? 'unknown')}`);
      out.talk(`usage   ${tokensText(turn.usage)}`);
      out.talk(
        `exit    ${turn.exit?.code ?? 'unknown'} after ${seconds.toFixed(1)} s; output in ${visible(dir)}`,
      );
      if (turn.error)
        out.alarm(`${out.paintTalk('red', `${turn.error.class}:`)} ${visibleLines(turn.error.message)}`);
    }
    return code;
  } finally {
    deaf();
  }
}

type Try = Awaited<ReturnType<Awaited<ReturnType<Context['world']['docket']>>['openDocket']>>;
type Turn = Awaited<ReturnType<Try['tryAgent']>>['turn'];
type AgentEvent = Parameters<NonNullable<TryInput['onEvent']>>[0];

const exitCodes: Readonly<Record<NonNullable<Turn['error']>['class'], number>> = {
  transient: 75,
  limit: 75,
  auth: 5,
  'prompt-too-large': 1,
  refused: 1,
  tooling: 1,
  timeout: 124,
  stall: 124,
  crashed: 1,
  unknown: 1,
};

function exitCodeOf({ error }: Turn, interrupted: boolean): number {
  if (interrupted) return 130;
  return error === undefined ? 0 : exitCodes[error.class];
}

function errorFor(error: Turn['error'], exitCode: number, dir: string) {
  const message = error === undefined ? 'interrupted' : `${error.class}: ${error.message}`;
  const data = { exitCode, ...error };
  return { code: 'RUN', message, fix: `what it printed is in ${dir}; docket agents shows its set-up`, data };
}

function tell(event: AgentEvent, { out, globals }: Context): void {
  if (globals.json) return out.line({ v: 1, ...event });
  if (event.type === 'text') return out.data(visibleLines(event.text));
  if (event.type === 'tool' && event.phase === 'start')
    return out.talk(`· ${visible(event.name)} ${visible(event.input ?? '').slice(0, 100)}`);
  if (event.type === 'denied' || event.type === 'warning')
    out.talk(`· ${event.type}: ${visible(event.text)}`);
}

function inputOf({ args }: Context): Omit<TryInput, 'signal'> {
  const [agent = '', ...words] = args.operands;
  const last = (name: string): string | undefined => args.options.get(name)?.at(-1);
  const id = last('resume');
  const fork = args.options.has('fork');
  if (fork && id === undefined)
    throw new DocketError('USAGE', '--fork copies a session: which?', 'add --resume ID');
  const model = last('model');
  const permission = last('permission') as TryInput['permission'];
  return {
    agent,
    prompt: words.join(' '),
    ...(permission !== undefined && { permission }),
    ...(model !== undefined && { model }),
    ...(id !== undefined && { session: { id, fork } }),
  };
}
