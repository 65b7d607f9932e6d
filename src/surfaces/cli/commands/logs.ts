import * as v from 'valibot';
import type { Docket } from '../../../project/docket.ts';
import { agentEvent } from '../agent/answer.ts';
import { last, numberIn, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { type Context, withDocket } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { tokensText } from '../frame/format.ts';
import * as json from '../frame/json.ts';
import { ofLayout } from '../frame/options.ts';
import { eventText } from '../frame/progress-text.ts';
import { statusColors } from '../frame/statuses.ts';
import type { Paint } from '../frame/style.ts';
import { visible, visibleLines } from '../frame/visible.ts';

const logHead = { v: json.version, layout: json.layout, task: json.name };
const said = { ...logHead, step: json.text, attempt: json.count };

export const command: Definition = {
  operand: { kind: 'text', names: 'any', label: '[task]', min: 0, max: 1 },
  options: [
    { name: 'follow', short: 'f', summary: 'Go on until the task ends or waits for a person' },
    { name: 'step', summary: 'Only this step, all its passes', value: { kind: 'text', label: 'STEP' } },
    { name: 'attempt', summary: 'Only this attempt', value: { kind: 'integer', label: 'N' } },
    { name: 'raw', summary: 'The lines as the agent wrote them' },
    ofLayout,
  ],
  notes: [
    'Of any task: of the queue, a task directory, a packet, the board. --follow also',
    'waits for one that nobody works on yet; without a task it shows all that runs',
    'here, until Ctrl-C. With --json one JSON value per line.',
  ],
  examples: ['docket logs fix-login -f', 'docket logs -f', 'docket logs fix-login --step review --raw'],
  answer: json.stream('What the agents of a task said and did; with -f also what comes.', 'A stream', [
    v.strictObject({ ...said, kind: v.literal('event'), event: agentEvent }),
    v.strictObject({
      ...said,
      kind: v.literal('line'),
      stream: v.picklist(['stdout', 'stderr']),
      text: json.text,
    }),
    v.strictObject({ ...logHead, kind: v.literal('status'), status: json.status, text: json.text }),
    json.refusal(),
  ]),
  run,
};

type Query = Parameters<Docket['logs']>[1];
type Entry = ReturnType<Docket['logs']> extends AsyncIterable<infer E> ? E : never;

/** Ends when the task has, or when nobody reads it: both are a good end. Ctrl-C ends it with 130. */
async function run(context: Context): Promise<number> {
  const { args, globals, world, out } = context;
  const [ref] = args.operands;
  const step = last(args, 'step');
  const of = last(args, 'of');
  const attempt = numberIn(args, 'attempt', [1, Infinity], 'logs');
  const follow = args.options.has('follow');
  if (ref === undefined && !follow)
    throw usage('docket logs needs <task>', 'name one, or add --follow to see all that runs', 'logs');
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort('asked'));
  world.stdout.onGone?.(() => stop.abort());
  const query: Query = {
    signal: stop.signal,
    follow,
    raw: args.options.has('raw'),
    ...(of !== undefined && { of }),
    ...(step !== undefined && { step }),
    ...(attempt !== undefined && { attempt }),
  };
  try {
    if (ref === undefined) out.talk('Following all that runs here (Ctrl-C to stop).');
    const told = await withDocket(context, async (docket) => {
      let count = 0;
      for await (const entry of docket.logs(ref, query))
        count += Number(tell(entry, { raw: query.raw === true, all: ref === undefined }, context));
      return count;
    });
    if (stop.signal.reason === 'asked') return 130;
    if (told === 0 && !globals.json && ref !== undefined)
      out.talk(
        step === undefined && attempt === undefined
          ? 'Nothing was logged: no agent has said anything for it.'
          : `Nothing was logged for that. Its steps: ${copyable(context, 'show', ref)}`,
      );
    return 0;
  } finally {
    deaf();
  }
}

/** Whether an agent said something. */
function tell(entry: Entry, how: { raw: boolean; all: boolean }, { globals, out, world }: Context): boolean {
  if (globals.json) {
    out.line({ v: 1, ...entry });
    return true;
  }
  if (entry.kind === 'status') {
    out.talk(statusLine(entry, out.paintTalk));
    return false;
  }
  // Into a file the bytes go as they are; a terminal would obey them.
  const isPlain = how.raw && !how.all && entry.kind === 'line' && world.stdout.isTTY !== true;
  const line = isPlain ? entry.text : logLine(entry, out.paintData, how.all);
  if (line !== undefined) out.data(line);
  return line !== undefined;
}

type Status = Extract<Entry, { kind: 'status' }>;
type Said = Exclude<Entry, Status>;

const longestOutput = 400;

/** One thing that an agent did or said, for people; undefined: nothing worth a line. `named`: of which task. */
export function logLine(entry: Said, paint: Paint, named: boolean): string | undefined {
  const { step, attempt } = entry;
  const task = named ? `${paint('bold', visible(entry.task))} ` : '';
  const who = `${task}${paint('cyan', visible(attempt === 1 ? step : `${step}#${attempt}`))}`;
  if (entry.kind === 'line') {
    const mark = entry.stream === 'stderr' ? paint('dim', 'stderr ') : '';
    return `${who} ${mark}${visible(entry.text)}`;
  }
  const text = textOf(entry);
  return text === undefined ? undefined : `${who} ${text}`;
}

/** What became of the task meanwhile. */
export function statusLine({ task, status, text }: Status, paint: Paint): string {
  const [first = ''] = text.split('\n', 1);
  return `${paint('bold', visible(task))} is ${paint(statusColors[status], status)}: ${visible(first)}`;
}

function textOf({ event, attempt }: Extract<Said, { kind: 'event' }>): string | undefined {
  switch (event.type) {
    case 'text':
      return event.text.trim() === '' ? undefined : visibleLines(event.text.trim(), '    ');
    case 'tool':
      if (event.phase === 'end') return toolEnd(event);
      break;
    case 'usage':
      return event.turn && `used ${tokensText(event.turn)}`;
    default:
  }
  const text = eventText({ event, attempt });
  return text === undefined ? undefined : visible(text);
}

/** What a tool that did well printed is in the file; what one that failed printed is why people look. */
function toolEnd({
  name,
  ok,
  output = '',
}: {
  name: string;
  ok: boolean;
  output?: string;
}): string | undefined {
  if (ok) return undefined;
  const said = output.trim().slice(0, longestOutput);
  return visibleLines(`${name} failed${said === '' ? '' : `: ${said}`}`, '    ');
}
