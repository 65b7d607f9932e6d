import * as v from 'valibot';
import type { EndedStray, PsEntry } from '../../../project/ps/api.ts';
import { type AlignedRow, alignedRows } from '../frame/aligned.ts';
import { usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { type Context, withDocket } from '../frame/context.ts';
import { age } from '../frame/format.ts';
import * as json from '../frame/json.ts';
import { type Color, columnsOf, type Paint } from '../frame/style.ts';
import { cut, visible } from '../frame/visible.ts';

const entry = json.like<PsEntry>()(
  v.strictObject({
    state: json.described(
      v.picklist(['running', 'stray', 'suspect']),
      'stray: no docket runs it. suspect: nobody can say whose it is.',
    ),
    layout: json.maybe(json.layout),
    task: json.maybe(json.id),
    name: json.maybe(json.text, 'What people call a task of the queue.'),
    step: json.maybe(json.text),
    attempt: json.maybe(json.count),
    agent: json.text,
    pid: json.count,
    pids: v.array(json.count),
    since: json.maybe(json.time),
    cpuSeconds: v.number(),
    cpuPercent: v.number(),
    rssBytes: json.count,
    ports: json.described(v.array(json.count), 'TCP ports that it listens on.'),
    last: json.maybe(v.strictObject({ what: json.text, at: json.time }), 'The last thing that it said.'),
    why: json.maybe(json.text),
    goOn: json.maybe(json.text, 'The command that goes on with it.'),
    end: json.maybe(json.text, 'The command that ends it.'),
  }),
);
const ended = json.like<EndedStray>()(
  v.strictObject({ ...entry.entries, ended: json.flag, problem: json.maybe(json.text) }),
);
const strays = { processes: v.array(ended), dryRun: json.dryRun };

export const command: Definition = {
  options: [
    { name: 'end-strays', summary: 'End what no docket runs any more' },
    { name: 'dry-run', summary: 'Only say what would be ended' },
  ],
  notes: [
    'All layouts; every row is a process that lives. running: a docket runs its task.',
    'stray: a docket that died left it; --end-strays ends it, or a run takes it up.',
    'suspect: an orphan in a folder of docket that nobody knows; it is never ended.',
  ],
  examples: ['docket ps', 'docket ps --end-strays --dry-run', "docket ps --json | jq '.processes[].pid'"],
  answer: json.one(
    'What really runs for the tasks here; with --end-strays what was ended, and an error when something could not be.',
    { processes: v.array(entry) },
    { or: [json.answer(strays)], beside: strays },
  ),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const dryRun = args.options.has('dry-run');
  if (args.options.has('end-strays')) return ending(context, dryRun);
  if (dryRun) throw usage('--dry-run is for --end-strays', 'docket ps alone changes nothing', 'ps');
  const processes = await withDocket(context, async (docket) => (await docket.processes()).list());
  if (globals.json) {
    out.answer({ processes });
    return 0;
  }
  if (processes.length === 0) out.talk('Nothing runs for this workspace.');
  else out.data(rowsOf(processes, context));
  if (processes.some(({ state }) => state === 'stray'))
    out.talk('Strays: no docket runs them. End them: docket ps --end-strays');
  if (processes.some(({ state }) => state === 'suspect'))
    out.talk('Suspects are left alone: look at them, and end them by their number if they are yours.');
  return 0;
}

async function ending(context: Context, dryRun: boolean): Promise<number> {
  const { globals, out } = context;
  const strays = await withDocket(context, async (docket) =>
    (await docket.processes()).endStrays({ dryRun }),
  );
  const failed = strays.filter(({ problem }) => problem !== undefined);
  if (globals.json && failed.length > 0) out.refuse(unended(failed), { processes: strays, dryRun });
  else if (globals.json) out.answer({ processes: strays, dryRun });
  else if (strays.length > 0) out.data(rowsOf(strays, context));
  out.talk(saidOf(strays, dryRun));
  for (const { pid, problem } of failed) out.alarm(`${pid}: ${problem}`);
  return failed.length > 0 ? 1 : 0;
}

function unended(failed: readonly EndedStray[]) {
  const each = failed.map(({ pid, problem = '' }) => `${pid} (${problem})`).join(', ');
  const data = { pids: failed.map(({ pid }) => pid) };
  return { code: 'IO', message: `not all could be ended: ${each}`, fix: 'see them: docket ps', data };
}

function rowsOf(processes: readonly PsEntry[], { world, out }: Context): string {
  const { stdout, env } = world;
  return psRows(processes, {
    now: world.now(),
    columns: columnsOf(stdout, env),
    heading: stdout.isTTY === true,
    paint: out.paintData,
  });
}

function saidOf(strays: readonly EndedStray[], dryRun: boolean): string {
  if (strays.length === 0) return 'There are no strays.';
  if (dryRun) return `${strays.length} would be ended; nothing was done.`;
  return `${strays.filter(({ ended }) => ended).length} ended.`;
}

const colors: Readonly<Record<PsEntry['state'], Color>> = {
  running: 'cyan',
  stray: 'red',
  suspect: 'yellow',
};

/** One row per attempt: what runs, for whom, since when, what it uses, and what it said last. */
export function psRows(
  processes: readonly PsEntry[],
  look: { now: number; columns: number; heading: boolean; paint: Paint },
): string {
  const { now, columns, heading, paint } = look;
  const rows: AlignedRow[] = processes.map((entry) => ({
    cells: [
      String(entry.pid),
      { text: entry.state, color: colors[entry.state] },
      entry.name ?? entry.task ?? '-',
      stepOf(entry),
      entry.agent,
      entry.since === undefined ? '?' : age(entry.since, now),
      `${entry.cpuSeconds.toFixed(1)}s ${entry.cpuPercent}%`,
      `${Math.round(entry.rssBytes / 1024 ** 2)}M`,
    ],
    last: (rest) => cut(visible(lastOf(entry, now)), rest),
  }));
  const names = ['PID', 'STATE', 'TASK', 'STEP', 'AGENT', 'SINCE', 'CPU', 'RSS'];
  if (heading)
    rows.unshift({
      cells: names.map((text) => ({ text, color: 'dim' as const })),
      last: () => paint('dim', 'LAST EVENT'),
    });
  return alignedRows(rows, columns, paint).join('\n');
}

function stepOf({ step, attempt }: PsEntry): string {
  if (step === undefined) return '-';
  return attempt === undefined || attempt === 1 ? step : `${step}#${attempt}`;
}

function lastOf({ last, ports, why, goOn }: PsEntry, now: number): string {
  const parts = [
    last ? `${last.what} ${age(last.at, now)} ago` : 'nothing yet',
    ports.length > 0 ? `listens on ${ports.join(', ')}` : undefined,
    why,
    goOn === undefined ? undefined : `goes on with: ${goOn}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}
