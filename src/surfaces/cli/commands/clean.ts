import * as v from 'valibot';
import type { Cleaned, CleanedWorkspace, CleanInput } from '../../../kinds/queue/finished.ts';
import { last, personIn, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { durationMs, sizeBytes, sizeText } from '../frame/format.ts';
import * as json from '../frame/json.ts';
import { showOnly } from '../frame/options.ts';
import { visible, visibleLines } from '../frame/visible.ts';

const cleanedWorkspace = json.like<CleanedWorkspace>()(
  v.strictObject({
    ...json.short,
    workspace: json.text,
    bytes: json.count,
    finishedAt: json.time,
    action: v.picklist(['remove', 'keep']),
    why: json.text,
    fix: json.maybe(json.text),
  }),
);
const cleaned = json.like<Cleaned>()(
  v.strictObject({
    workspaces: json.described(v.array(cleanedWorkspace), 'Those that are due.'),
    bytesBefore: json.count,
    bytesAfter: json.count,
    maxBytes: json.maybe(json.count),
    dryRun: json.dryRun,
  }),
).entries;

export const command: Definition = {
  options: [
    {
      name: 'older-than',
      summary: 'Of tasks that ended so long ago, such as 14d',
      value: { kind: 'text', label: 'AGE' },
    },
    {
      name: 'max-size',
      summary: 'Until all together take up no more, such as 10GB',
      value: { kind: 'text', label: 'SIZE' },
    },
    showOnly,
  ],
  notes: [
    'The oldest go first. Records and branches stay; a task that is taken up again',
    'gets a new workspace. What is in use, has work that is not committed, or is',
    'neither merged nor pushed is kept and named. Without options it does what',
    'retention.workspaces says. Exit code: 0, or 5 while it is still too much.',
  ],
  examples: ['docket clean --older-than 14d --dry-run', 'docket clean --max-size 10GB'],
  answer: json.one(
    'Workspaces that went, and those that had to stay; it fails when they are still too much.',
    cleaned,
    { beside: cleaned },
  ),
  run,
};

async function run(context: Context): Promise<number> {
  const { globals, out } = context;
  const input = inputOf(context);
  const cleaned = await withDocket(context, async (docket) => (await docket.finished()).clean(input));
  const isTooMuch = cleaned.maxBytes !== undefined && cleaned.bytesAfter > cleaned.maxBytes;
  if (globals.json && isTooMuch) out.refuse(tooMuch(cleaned), { ...cleaned });
  else if (globals.json) out.answer({ ...cleaned });
  else {
    for (const one of cleaned.workspaces) out.data(lineOf(one, input.dryRun));
    out.talk(saidOf(cleaned));
    if (isTooMuch) out.talk(`That is still more than ${sizeText(cleaned.maxBytes ?? 0)}: see what is kept.`);
  }
  return isTooMuch ? 5 : 0;
}

function tooMuch({ bytesAfter, maxBytes = 0 }: Cleaned) {
  const message = `workspaces take up ${sizeText(bytesAfter)}, more than ${sizeText(maxBytes)}`;
  const fix = 'see to what is kept ("workspaces" says why), then again: docket clean';
  return { code: 'NEEDS_PERSON', message, fix, data: { bytesAfter, maxBytes } };
}

function inputOf({ args, world }: Context): CleanInput {
  const [age, size] = [last(args, 'older-than'), last(args, 'max-size')];
  const olderThanMs = age === undefined ? undefined : durationMs(age);
  if (age !== undefined && olderThanMs === undefined)
    throw usage(`--older-than ${age} is no age`, 'write a number and m, h, d or w, such as 14d', 'clean');
  const maxBytes = size === undefined ? undefined : sizeBytes(size);
  if (size !== undefined && maxBytes === undefined)
    throw usage(`--max-size ${size} is no size`, 'write a number and MB, GB or TB, such as 10GB', 'clean');
  return {
    dryRun: args.options.has('dry-run'),
    by: personIn(world.env),
    ...(olderThanMs !== undefined && { olderThanMs }),
    ...(maxBytes !== undefined && { maxBytes }),
  };
}

function lineOf({ name, workspace, bytes, action, why, fix }: CleanedWorkspace, dryRun: boolean): string {
  const word = action === 'keep' ? 'kept' : dryRun ? 'would remove' : 'removed';
  const about = visibleLines(`${word} ${name} (${sizeText(bytes)}, ${workspace}): ${why}`);
  return fix === undefined ? about : `${about}\n  fix: ${visible(fix)}`;
}

function saidOf({ workspaces, bytesBefore, bytesAfter, dryRun }: Cleaned): string {
  const removed = workspaces.filter(({ action }) => action === 'remove').length;
  const kept = workspaces.length - removed;
  const sizes = `workspaces take up ${sizeText(bytesAfter)} instead of ${sizeText(bytesBefore)}`;
  const counts = `${removed} ${dryRun ? 'would go' : 'removed'}${kept === 0 ? '' : `, ${kept} kept`}`;
  if (workspaces.length === 0) return `Nothing is due: workspaces take up ${sizeText(bytesBefore)}.`;
  return `${counts}; ${sizes}.${dryRun ? ' Nothing was changed.' : ''}`;
}
