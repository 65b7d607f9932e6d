import type { PacketWish } from '../../../kinds/packet/api.ts';
import { alignedRows } from '../frame/aligned.ts';
import { last, usage } from '../frame/args.ts';
import type { Definition, Option } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { onePacket, packetExits, textOption, watching } from '../frame/options.ts';
import { columnsOf } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';
import { streamed } from '../packet/answer.ts';
import { exitCodeOf, tellRan } from '../packet/ran.ts';
import { running, withPackets } from '../packet/running.ts';
import { named } from '../task/fields.ts';

export const runOptions: readonly Option[] = [
  textOption('stage', 'This stage alone', 'STAGE'),
  textOption('from', 'Again from this stage on', 'STAGE'),
  { name: 'force', summary: 'All of it again, also what is done' },
  textOption('plan', "Another profile than the intent's", 'PROFILE'),
  { name: 'dry-run', summary: 'Show what would run, and why; start nothing' },
  ...watching,
];

export const command: Definition = {
  operand: onePacket,
  options: runOptions,
  notes: [
    'A stage whose request, template, model or settings have changed runs again, and',
    'all after it. A line every 10 s (AGENT_CLI_PROGRESS_INTERVAL_SEC; 0: none).',
    packetExits,
  ],
  examples: ['docket packet run <packet>', 'docket packet run <packet> --from codex_verify'],
  answer: streamed('The packet after its stages; with --dry-run what each of them would do.'),
  run,
};

/** `packet run` and `packet resume`: a run always begins at what is not done. */
export async function run(context: Context): Promise<number> {
  const wish = wishOf(context);
  if (context.args.options.has('dry-run')) return plan(wish, context);
  const id = named(context);
  const ran = await running(context, (packets, control) => packets.run(id, { ...control, ...wish }), {
    command: 'packet run',
    id,
    count: async (packets) => (await packets.plan(id, wish)).stages.filter(({ runs }) => runs).length,
  });
  const code = exitCodeOf(ran, wish.stage);
  tellRan(ran, code, context);
  return code;
}

function wishOf({ args }: Context): PacketWish {
  const stage = last(args, 'stage');
  const from = last(args, 'from');
  const profile = last(args, 'plan');
  const force = args.options.has('force');
  if (from !== undefined && (stage !== undefined || force))
    throw usage(
      `--from and --${force ? 'force' : 'stage'} say different things`,
      'give one of them',
      'packet run',
    );
  return {
    ...(stage !== undefined && { stage }),
    ...(from !== undefined && { from }),
    ...(profile !== undefined && { plan: profile }),
    ...(force && { force }),
  };
}

async function plan(wish: PacketWish, context: Context): Promise<number> {
  const { globals, world, out } = context;
  const id = named(context);
  const planned = await withPackets(context, (packets) => packets.plan(id, wish));
  if (globals.json) {
    out.answer({ id, ...planned });
    return 0;
  }
  const rows = planned.stages.map(({ stage, model, runs, why }) => ({
    cells: [runs ? 'run' : 'skip', stage, model],
    last: why,
  }));
  out.data(alignedRows(rows, columnsOf(world.stdout, world.env), out.paintData).join('\n'));
  out.talk(`Profile ${visible(planned.profile)}. Nothing was started.`);
  return 0;
}
