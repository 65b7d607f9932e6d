import { DocketError } from '../../../errors.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { findingText, withFirst } from '../frame/findings.ts';
import * as json from '../frame/json.ts';
import type { Finding } from '../frame/world.ts';
import { withWorkflows, workflowName } from '../workflow/workflows.ts';

export const command: Definition = {
  operand: { kind: 'file', label: '[workflow…]', min: 0, max: Infinity },
  options: [],
  notes: [
    'Names or paths; without one, all of them. Unknown targets, steps that nothing',
    'leads to or that never end, missing files, entries that nobody uses.',
    'Exit code: 0 no errors (warnings are printed), 1 errors, 3 no such workflow.',
  ],
  examples: ['docket workflow check', 'docket workflow check .takt/workflows/mine.yaml --json'],
  answer: json.one(
    'What is wrong with workflows.',
    { findings: json.findings },
    { beside: { findings: json.findings } },
  ),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, world, out } = context;
  const names = args.operands.map((typed) => workflowName(typed, context));
  const findings = await withWorkflows(context, (all) => all.check(names));
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  const found = [count(errors.length, 'error'), count(warnings.length, 'warning')].filter((text) => text);
  if (globals.json) {
    const message = `${found.join(', ')} in workflows`;
    const fix = 'fix what "findings" names, then check again: docket workflow check';
    if (errors.length === 0) out.answer({ findings });
    else out.refuse(withFirst(new DocketError('FINDINGS', message, fix), errors), { findings });
  } else {
    const texts = folded(findings).map((finding) => findingText(finding, world.cwd, out.paintData));
    if (texts.length > 0) out.data(texts.join('\n'));
    out.talk(found.length === 0 ? 'No problems found.' : `${found.join(', ')}.`);
  }
  return errors.length === 0 ? 0 : 1;
}

function count(n: number, word: string): string {
  return n === 0 ? '' : `${n} ${word}${n === 1 ? '' : 's'}`;
}

/** A warning that a file gets several times is printed once, with the other lines. */
function folded(findings: readonly Finding[]): Finding[] {
  const first = new Map<string, Finding & { also: number[] }>();
  const shown = findings.flatMap((finding) => {
    const { severity, path, message, line } = finding;
    const key = JSON.stringify([path, message]);
    const before = severity === 'warning' ? first.get(key) : undefined;
    if (before && line !== undefined) before.also.push(line);
    if (before) return [];
    const one = { ...finding, also: [] };
    first.set(key, one);
    return [one];
  });
  return shown.map(({ also, ...finding }) =>
    also.length === 0
      ? finding
      : { ...finding, message: `${finding.message} (also in line ${also.join(', ')})` },
  );
}
