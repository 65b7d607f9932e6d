import type { Definition } from '../command.ts';
import { withApp, type Context } from '../context.ts';
import { visible } from '../visible.ts';

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
  run,
};

type Repaired = Awaited<ReturnType<Parameters<Parameters<typeof withApp>[1]>[0]['repair']>>[number];

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [name] = args.operands;
  const apply = args.options.has('apply');
  const logs = await withApp(context, (app) => app.repair(name, { apply }));
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
