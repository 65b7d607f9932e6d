import { needsOfView } from '../../../app/view/needs.ts';
import { age } from '../age.ts';
import { alignedRows, type AlignedRow } from '../aligned.ts';
import { withApp, type Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { itemFields } from '../view/fields.ts';
import { lookOf } from '../view/look.ts';
import { titled } from '../view/rows.ts';
import { visible } from '../visible.ts';
import { layoutOf } from './status.ts';

const somebodyMustAct = 5;

export async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const view = await withApp(context, async (app) => (await app.view()).look(layoutOf(context)));
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
    const { now, columns, paint } = lookOf(context);
    const rows: AlignedRow[] = [
      ...findings.map(({ path, message, fix }) => ({
        cells: ['   ?', copyable(context, 'validate')],
        last: `${message.includes(path) ? '' : `${path}: `}${message} (${fix})`,
      })),
      ...needs.map((item) => ({
        cells: [age(item.since, now).padStart(4), item.next ? copyable(context, ...item.next.words) : ''],
        last: `${item.layout} ${item.name}: ${titled(item, item.why.text)}`,
      })),
    ];
    if (isIdle) out.talk('Nothing needs you.');
    else out.data(alignedRows(rows, columns, paint).join('\n'));
    if (more.failed > 0) out.talk(visible(`${more.failed} failed earlier: docket list --status failed`));
  }
  return args.options.has('exit-code') && !isIdle ? somebodyMustAct : 0;
}
