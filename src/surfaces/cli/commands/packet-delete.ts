import { DocketError } from '../../../errors.ts';
import { askPerson } from '../frame/ask.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { onePacket } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';
import { withPackets } from '../packet/running.ts';
import { named } from '../task/fields.ts';

export const command: Definition = {
  operand: onePacket,
  options: [
    { name: 'yes', summary: 'You mean it: ask nobody' },
    { name: 'dry-run', summary: 'Count the files; delete nothing' },
  ],
  notes: ['Refused while it is worked on, and without --yes where nobody can be asked.'],
  examples: ['docket packet delete <packet> --dry-run', 'docket packet delete <packet> --yes'],
  answer: json.one('The packet that is gone for good.', {
    id: json.id,
    files: json.count,
    dryRun: json.dryRun,
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const id = named(context);
  const dryRun = args.options.has('dry-run');
  const { files } = await withPackets(context, async (packets) => {
    const found = await packets.remove(id, true);
    if (dryRun) return found;
    if (!args.options.has('yes')) await agreed(id, found.files, context);
    return packets.remove(id, false);
  });
  if (globals.json) out.answer({ id, files, dryRun });
  else {
    out.data(visible(id));
    const counted = countOf(files);
    out.talk(dryRun ? `${counted} would go; nothing was deleted.` : `Deleted ${counted}.`);
  }
  return 0;
}

/** What cannot be undone wants a word of a person, said now or in the line. */
async function agreed(id: string, files: number, context: Context): Promise<void> {
  const ask = context.globals.json ? undefined : askPerson(context);
  const answer = await ask?.({
    id: 'delete',
    about: 'delete',
    text: `Delete packet ${id} for good (${countOf(files)})?`,
    options: [
      { id: 'yes', kind: 'allow', text: 'Delete it' },
      { id: 'no', kind: 'deny', text: 'Keep it' },
    ],
  });
  if (answer === 'yes') return;
  const message = `packet ${id} was not deleted: all of it (${countOf(files)}) would be gone for good`;
  throw new DocketError('REFUSED', message, 'add --yes, or archive it: docket packet archive', { id, files });
}

function countOf(files: number): string {
  return `${files} file${files === 1 ? '' : 's'}`;
}
