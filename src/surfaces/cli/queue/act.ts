import * as v from 'valibot';
import { shellWord } from '../../../errors/shell-word.ts';
import type { Act, ActInput, Left } from '../../../kinds/act.ts';
import type { Acted } from '../../../project/tasks/act.ts';
import type { Task } from '../../../task/schema.ts';
import { personIn } from '../frame/args.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { printFailure, toFailure } from '../frame/failure.ts';
import * as json from '../frame/json.ts';
import { visible, visibleLines } from '../frame/visible.ts';
import { delivery } from './delivery-answer.ts';

const left = json.described(
  v.strictObject({
    files: v.array(json.text),
    alone: json.described(
      json.flag,
      "Nobody else's changes are in these files: docket diff TASK | git -C REPOSITORY apply -R undoes them.",
    ),
    unsure: json.maybe(v.literal(true), 'Nobody can tell: how it left the files was not noted.'),
    repository: json.described(json.text, 'The top folder of the repository that they are in.'),
  }),
  "Canceled: what it leaves in people's own tree, where it worked in place.",
);
const acted = v.union([
  json.like<Extract<Acted, { ok: true }>>()(
    v.strictObject({
      ok: v.literal(true),
      kind: json.layout,
      id: json.id,
      name: json.name,
      was: json.status,
      status: json.status,
      changed: json.flag,
      left: json.maybe(left),
      delivery: json.maybe(delivery, 'Only its delivery was retried: where its work is now.'),
    }),
  ),
  v.strictObject({
    ok: v.literal(false),
    ref: json.described(json.text, 'As it was typed.'),
    error: json.error,
  }),
]);

export const actAnswer = (about: string): json.Answer => {
  const fields = {
    kind: json.maybe(json.layout, 'With one task only, as its id and status.'),
    id: json.maybe(json.id),
    status: json.maybe(json.status),
    dryRun: json.maybe(json.dryRun),
    tasks: json.described(v.array(acted), 'What became of each that was named.'),
  };
  return json.one(`${about} It fails when one of them was refused; the others are done.`, fields, {
    beside: fields,
  });
};

/** `retry`, `requeue` and `cancel`: each task by itself, and the exit code of the first that was refused. */
export async function act(
  context: Context,
  what: Act,
  input: Omit<ActInput, 'by' | 'dryRun'>,
): Promise<number> {
  const { args, world } = context;
  const dryRun = args.options.has('dry-run');
  const whole = { ...input, dryRun, by: personIn(world.env) };
  const acted = await withDocket(context, (docket) => docket.act(what, args.operands, whole));
  return tell(acted, dryRun, context);
}

function tell(acted: readonly Acted[], dryRun: boolean, context: Context): number {
  const { globals, out } = context;
  const refused = acted.find((one) => !one.ok);
  if (globals.json) {
    const [only] = acted;
    const one = acted.length === 1 && only?.ok ? { kind: only.kind, id: only.id, status: only.status } : {};
    const fields = { ...one, ...(dryRun && { dryRun }), tasks: acted.map(asJson) };
    if (refused) out.refuse(refused.error, fields);
    else out.answer(fields);
  } else {
    for (const one of acted) {
      if (one.ok) {
        out.data(lineOf(one, dryRun));
        if (one.left) out.talk(leftLines(one.name, one.left, context));
      } else printFailure(toFailure(one.error, false), out, false);
    }
    if (dryRun) out.talk('Nothing was changed.');
  }
  return refused?.error.exitCode ?? 0;
}

function asJson(one: Acted): object {
  if (one.ok) return one;
  const { code, message, fix, commands, data } = one.error;
  return { ok: false, ref: one.ref, error: { code, message, fix, commands, data } };
}

function lineOf(one: Extract<Acted, { ok: true }>, dryRun: boolean): string {
  const { name, was, status, changed, delivery } = one;
  if (delivery) return `${visible(name)} is ${status}, ${visible(deliveryWords(delivery, dryRun))}`;
  if (!changed) return `${visible(name)} is ${status} already`;
  return `${visible(name)} ${dryRun ? 'would be' : 'is'} ${status} (was ${was})`;
}

/** Of a retry that only delivers. */
function deliveryWords(delivery: NonNullable<Task['delivery']>, dryRun: boolean): string {
  if (dryRun) return 'and would be delivered again; no agent would be called';
  switch (delivery.state) {
    case 'proposed':
      return `pull request ${delivery.url}`;
    case 'pushed':
      return `pushed to ${delivery.remote}`;
    case 'committed':
      return `committed on ${delivery.branch}; its record asks for no more`;
    default:
      return `delivery: ${delivery.state}`;
  }
}

const most = 10;

/** It worked in people's own tree, and canceling takes nothing back there. */
function leftLines(name: string, { files, alone, unsure, repository }: Left, context: Context): string {
  const more = files.length > most ? `, and ${files.length - most} more` : '';
  const diff = copyable(context, 'diff', name);
  // In a folder below, git would leave out the rest of the patch without a word.
  const undo = `${diff} | git -C ${shellWord(repository)} apply -R`;
  const how = alone
    ? `undo it: ${undo}`
    : unsure
      ? `nobody can tell whether others have changed these files since; if nobody has, undo it: ${undo}`
      : 'others have changed some of these files too: undo by hand what you do not want';
  return visibleLines(
    `It worked in place, and what it changed stays: ${files.slice(0, most).join(', ')}${more}\nsee it: ${diff}\n${how}`,
  );
}
