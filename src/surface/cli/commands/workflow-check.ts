import { DocketError } from '../../../errors.ts';
import type { Context } from '../context.ts';
import { findingText } from '../findings.ts';
import { withFirst } from '../tell-findings.ts';
import { withWorkflows, workflowName } from '../workflow/workflows.ts';

export async function run(context: Context): Promise<number> {
  const { args, globals, world, out } = context;
  const names = args.operands.map((typed) => workflowName(typed, context));
  const findings = await withWorkflows(context, (all) => all.check(names));
  const wrong = findings.filter(({ severity }) => severity !== 'note');
  if (globals.json) {
    const message = `${wrong.length} ${wrong.length === 1 ? 'problem' : 'problems'} in workflows`;
    const fix = 'mend what "findings" names, then check again: docket workflow check';
    if (wrong.length === 0) out.answer({ findings });
    else out.refuse(withFirst(new DocketError('FINDINGS', message, fix), wrong), { findings });
    return wrong.length === 0 ? 0 : 1;
  }
  const texts = findings.map((finding) => findingText(finding, world.cwd, out.paintData));
  if (texts.length > 0) out.data(texts.join('\n'));
  out.talk(wrong.length === 0 ? 'No problems found.' : `${wrong.length} found.`);
  return wrong.length === 0 ? 0 : 1;
}
