import * as v from 'valibot';
import type { Docket } from '../../../project/docket.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { visible } from '../frame/visible.ts';

type Repaired = Awaited<ReturnType<Docket['repair']>>[number];
const repaired = json.like<Repaired>()(
  v.strictObject({
    name: json.text,
    path: json.text,
    events: json.described(json.count, 'Those that can be read.'),
    missing: json.described(
      json.count,
      'Events that docket had acknowledged and that are not there any more.',
    ),
    dropped: json.described(
      v.array(v.strictObject({ line: json.count, text: json.text, file: json.maybe(json.text) })),
      'Lines that are set aside.',
    ),
    byHand: json.described(json.texts, 'Tasks that become done by hand, not proved.'),
    lost: json.described(json.texts, 'Tasks that only people’s files still know.'),
    needed: json.flag,
    applied: json.flag,
    copies: json.described(json.texts, 'Where what was replaced is kept.'),
  }),
);

export const command: Definition = {
  operand: { kind: 'text', label: '[log]', min: 0, max: 1 },
  options: [{ name: 'apply', summary: 'Do it; without this, only show what would be done' }],
  notes: [
    'LOG: queue, board, or the id of a task directory or packet. Default: all.',
    'docket refuses a log that ends before the last event it acknowledged.',
    'A newer backup is the better way out. Without one: lines that are no events',
    'are set aside, ids of lost tasks are not used again, and tasks that your',
    'files call completed are marked done by hand instead of being run again.',
    'A copy of what is replaced stays in .docket (of a packet: in the packet).',
  ],
  examples: ['docket repair', 'docket repair board --apply'],
  answer: json.one('Logs that lost something, and what was or would be done.', { logs: v.array(repaired) }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [name] = args.operands;
  const apply = args.options.has('apply');
  const logs = await withDocket(context, (docket) => docket.repair(name, { apply }));
  if (globals.json) {
    out.answer({ logs });
    return 0;
  }
  const needed = logs.filter((log) => log.needed);
  for (const log of needed) out.data(linesOf(log).map(visible).join('\n'));
  if (needed.length === 0) out.talk('Nothing to repair.');
  else if (!apply) out.talk('Nothing was changed. To accept the log as it is, add --apply.');
  return 0;
}

function linesOf({
  name,
  path,
  events,
  missing,
  dropped,
  byHand,
  lost,
  copies,
  applied,
}: Repaired): string[] {
  const did = applied ? 'set aside' : 'would be set aside';
  return [
    `${name}: ${path}: ${events} events can be read${missing > 0 ? `, ${missing} are missing` : ''}`,
    ...dropped.map(({ file, line, text }) => {
      const where = file === undefined ? `line ${line}` : `${file}, line ${line}`;
      return `  ${where} ${did}: ${text === '' ? '(empty)' : text}`;
    }),
    ...(lost.length > 0 ? [`  only in your files, not in the log: ${lost.join(', ')}`] : []),
    ...(byHand.length > 0 ? [`  done by hand, not proved, and not run again: ${byHand.join(', ')}`] : []),
    ...copies.map((copy) => `  kept: ${copy}`),
  ];
}
