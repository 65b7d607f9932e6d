import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { findingText, withFirst } from '../frame/findings.ts';
import * as json from '../frame/json.ts';

export const command: Definition = {
  options: [],
  notes: [
    'Looks at the policy, the protocol, the map of open ids, the log, the',
    'snapshot and the locks. Nothing is changed. Exit code: 0 none, 1 problems.',
  ],
  examples: ['docket board validate', "docket board validate --json | jq '.findings[]'"],
  answer: json.one(
    'What is wrong with a board.',
    { findings: json.findings },
    { beside: { findings: json.findings } },
  ),
  run,
};

/** Every problem of a board. Notes alone are none. */
async function run(context: Context): Promise<number> {
  const { globals, out, world } = context;
  const findings = await withDocket(context, async (docket) => (await docket.boardTools()).validate());
  const problems = findings.filter(({ severity }) => severity !== 'note').length;
  const message = `${problems} ${problems === 1 ? 'problem' : 'problems'}`;
  if (globals.json) {
    const fix = 'mend what "findings" names, then check again: docket board validate';
    if (problems === 0) out.answer({ findings });
    else out.refuse(withFirst({ code: 'FINDINGS', message, fix, data: {} }, findings), { findings });
  } else {
    for (const finding of findings) out.data(findingText(finding, world.cwd, out.paintData));
    out.talk(problems === 0 ? 'No problems found.' : message);
  }
  return problems === 0 ? 0 : 1;
}
