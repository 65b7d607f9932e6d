import type { Act, Acted, ActInput } from '../../../app/queue/api.ts';
import type { Context } from '../context.ts';
import { printFailure, toFailure } from '../failure.ts';
import { personIn } from '../person.ts';
import { visible } from '../visible.ts';
import { withQueue } from './queue.ts';

/** `retry`, `requeue` and `cancel`: each task by itself, and the exit code of the first that was refused. */
export async function act(
  context: Context,
  what: Act,
  input: Omit<ActInput, 'by' | 'dryRun'>,
): Promise<number> {
  const { args, world } = context;
  const dryRun = args.options.has('dry-run');
  const whole = { ...input, dryRun, by: personIn(world.env) };
  const acted = await withQueue(context, (queue) => queue.act(what, args.operands, whole));
  return tell(acted, dryRun, context);
}

function tell(acted: readonly Acted[], dryRun: boolean, { globals, out }: Context): number {
  const refused = acted.find((one) => !one.ok);
  if (globals.json) {
    const [only] = acted;
    const one = acted.length === 1 && only?.ok ? { id: only.id, status: only.status } : {};
    const fields = { ...one, ...(dryRun && { dryRun }), tasks: acted.map(asJson) };
    if (refused) out.refuse(refused.error, fields);
    else out.answer(fields);
  } else {
    for (const one of acted) {
      if (one.ok) out.data(lineOf(one, dryRun));
      else printFailure(toFailure(one.error, false), out, false);
    }
    if (dryRun) out.talk('Nothing was changed.');
  }
  return refused?.error.exitCode ?? 0;
}

function asJson(one: Acted): Record<string, unknown> {
  if (one.ok) return one;
  const { code, message, fix, data } = one.error;
  return { ok: false, ref: one.ref, error: { code, message, fix, data } };
}

function lineOf({ name, was, status, changed }: Extract<Acted, { ok: true }>, dryRun: boolean): string {
  if (!changed) return `${visible(name)} is ${status} already`;
  return `${visible(name)} ${dryRun ? 'would be' : 'is'} ${status} (was ${was})`;
}
