import * as v from 'valibot';
import { needsOfView } from '../../../project/view/needs.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { age } from '../frame/format.ts';
import * as json from '../frame/json.ts';
import { layoutOption } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';
import { itemFields, itemsAnswer, viewAnswer } from '../view/fields.ts';
import { lookOf, needLines, type NeedRow } from '../view/lines.ts';
import { titled } from '../view/rows.ts';
import { layoutOf } from './status.ts';

export const command: Definition = {
  options: [layoutOption, { name: 'exit-code', summary: 'Exit with 5 when there is something' }],
  notes: [
    'The oldest first, one line each: for how long, the command, and why.',
    'Failures of more than 7 days ago are only counted.',
  ],
  examples: [
    'docket needs-me',
    'docket needs-me --exit-code --quiet || echo "docket needs you"',
    "docket needs-me --json | jq -r '.needs[].next.command'",
  ],
  answer: json.one('Only what a person must do, each with the command that does it.', {
    needs: itemsAnswer,
    findings: viewAnswer.findings,
    more: v.strictObject({ failed: json.count }),
  }),
  run,
};

const somebodyMustAct = 5;

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const view = await withDocket(context, async (docket) => (await docket.view()).look(layoutOf(context)));
  const needs = needsOfView(view);
  const { findings, more } = view;
  const isIdle = needs.length === 0 && findings.length === 0;
  if (globals.json) {
    out.answer({
      needs: needs.map((item) => itemFields(item, context)),
      findings,
      more: { failed: more.failed },
    });
  } else {
    const { now } = lookOf(context);
    const rows: NeedRow[] = [
      ...findings.map(({ path, message, fix, next = ['validate'] }) => ({
        old: '   ?',
        command: copyable(context, ...next),
        text: `${message.includes(path) ? '' : `${path}: `}${message} (${fix})`,
      })),
      ...needs.map((item) => ({
        old: age(item.since, now).padStart(4),
        command: item.next ? copyable(context, ...item.next.words) : '',
        text: `${item.layout} ${item.name}: ${titled(item, item.why.text)}`,
      })),
    ];
    if (isIdle) out.talk('Nothing needs you.');
    else out.data(needLines(rows, context).join('\n'));
    if (more.failed > 0) out.talk(visible(`${more.failed} failed earlier: docket list --status failed`));
  }
  return args.options.has('exit-code') && !isIdle ? somebodyMustAct : 0;
}
