import * as v from 'valibot';
import type { Retained } from '../../../kinds/packet/api.ts';
import { alignedRows } from '../frame/aligned.ts';
import { numberIn, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { columnsOf } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';
import { withPackets } from '../packet/running.ts';

const retained = json.like<Retained>()(
  v.strictObject({
    id: json.id,
    from: v.picklist(['task', 'archive']),
    action: v.picklist(['archive', 'delete', 'keep']),
    why: json.text,
  }),
);

export const command: Definition = {
  operand: { kind: 'text', names: 'packet', label: '[packet…]', min: 0, max: Infinity },
  options: [
    {
      name: 'older-than',
      summary: 'Those that were finished so long ago',
      value: { kind: 'integer', label: 'DAYS' },
    },
    { name: 'force', summary: 'Also one that is not finished' },
    { name: 'policy', summary: 'Archive and delete as manifests and settings say' },
    { name: 'dry-run', summary: 'Show what would happen; change nothing' },
  ],
  notes: [
    'Prints their ids. Only what is done or canceled, unless you --force it. What is',
    'there already is never overwritten.',
    '--policy: finished packets by packets.retention in .docket/config.yaml and',
    'retention in their manifests. Nothing is deleted that was not archived before.',
  ],
  examples: ['docket packet archive <packet>', 'docket packet archive --policy --dry-run'],
  answer: json.one(
    'The packets that went to .tmp/archive; with --policy what the policy makes of each.',
    { archived: v.array(json.id), dryRun: json.dryRun },
    { or: [json.answer({ packets: v.array(retained), dryRun: json.dryRun })] },
  ),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const dryRun = args.options.has('dry-run');
  const force = args.options.has('force');
  const days = numberIn(args, 'older-than', [0, Infinity], 'packet archive');
  const byPolicy = args.options.has('policy');
  if ([days !== undefined, byPolicy, args.operands.length > 0].filter(Boolean).length !== 1)
    throw usage(
      `docket packet archive needs packets or --older-than or --policy, and only one of them`,
      'give one of them',
      'packet archive',
    );
  if (force && args.operands.length === 0)
    throw usage('--force is for packets that you name', 'leave it out, or name them', 'packet archive');
  if (byPolicy) return retain(context, dryRun);
  const which = days === undefined ? args.operands : { olderThanDays: days };
  const archived = await withPackets(context, (packets) => packets.archive(which, { dryRun, force }));
  if (globals.json) out.answer({ archived, dryRun });
  else {
    if (archived.length > 0) out.data(archived.map(visible).join('\n'));
    out.talk(saidOf(archived.length, dryRun));
  }
  return 0;
}

function saidOf(count: number, dryRun: boolean): string {
  if (count === 0) return 'No packet is finished and old enough.';
  return dryRun ? 'These would go to .tmp/archive/; nothing was moved.' : 'Moved to .tmp/archive/.';
}

/** A dry run also says why the others stay. */
async function retain(context: Context, dryRun: boolean): Promise<number> {
  const { globals, out, world } = context;
  const packets = await withPackets(context, (all) => all.retain(dryRun));
  const due = packets.filter(({ action }) => action !== 'keep');
  if (globals.json) out.answer({ packets, dryRun });
  else {
    const shown = dryRun ? [...due, ...packets.filter(({ action }) => action === 'keep')] : due;
    const columns = columnsOf(world.stdout, world.env);
    const rows = alignedRows(shown.map(rowOf), columns, out.paintData);
    if (rows.length > 0) out.data(rows.join('\n'));
    out.talk(endOf(due, dryRun));
  }
  return 0;
}

function rowOf({ id, from, action, why }: Retained) {
  return { cells: [action, from === 'archive' ? `.tmp/archive/${id}` : id], last: why };
}

function endOf(due: readonly Retained[], dryRun: boolean): string {
  const count = (action: string) => due.filter((one) => one.action === action).length;
  if (due.length === 0) return 'No packet is due.';
  const counts = `${count('archive')} to archive, ${count('delete')} to delete`;
  return dryRun
    ? `${counts}; nothing was changed.`
    : `Archived ${count('archive')}, deleted ${count('delete')}.`;
}
