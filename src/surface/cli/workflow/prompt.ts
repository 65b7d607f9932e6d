import type { WorkflowView } from '../../../app/workflow/api.ts';
import { DocketError } from '../../../errors.ts';
import { nearest } from '../../../errors/nearest.ts';
import { tagList, tagsOf } from '../../../render/step-prompt.ts';
import type { Paint } from '../style.ts';
import { visible, visibleLines } from '../visible.ts';

type Graph = WorkflowView['graph'];
type Node = Graph['nodes'][string];

/** By the name that its author gave it, or by its id. */
export function stepNamed({ nodes }: Graph, typed: string): Node {
  const all = Object.values(nodes);
  const found = all.find(({ title }) => title === typed) ?? all.find(({ id }) => id === typed);
  if (found) return found;
  const titles = all.map(({ title }) => title);
  const guess = nearest(typed, titles);
  const fix =
    guess === undefined ? `write one of its steps: ${titles.join(', ')}` : `did you mean "${guess}"?`;
  throw new DocketError('NOT_FOUND', `there is no step ${typed}`, fix, { step: typed, steps: titles });
}

export function promptOf(node: Node): Record<string, unknown> {
  const { title, prompt, reports, checks } = node;
  return { step: title, prompt, reports, checks, tags: tagList(node) };
}

/** The texts that a step's prompt is made from, in the order in which the agent gets them. */
export function promptLines(node: Node, paint: Paint): string[] {
  const { title, kind, prompt, reports, checks } = node;
  const sections: [name: string, text: string][] = [
    ['persona', prompt.persona ?? ''],
    ...prompt.knowledge.map(({ name, text }): [string, string] => [`knowledge: ${name}`, text]),
    ['instruction', prompt.instruction],
    [
      'quality gates',
      [...prompt.criteria, ...checks.map(({ command }) => `$ ${command}`)]
        .map((line) => `- ${line}`)
        .join('\n'),
    ],
    ...prompt.policy.map(({ name, text }): [string, string] => [`policy: ${name}`, text]),
    ...reports.map(({ name, format }): [string, string] => [
      `report: ${name}`,
      format === '' ? '(in any form)' : format,
    ]),
    ['how to end', tagsOf(node)],
  ];
  const shown = sections.filter(([, text]) => text.trim() !== '');
  const lines = shown.flatMap(([name, text]) => [
    paint('bold', `## ${visible(name)}`),
    visibleLines(text, ''),
    '',
  ]);
  if (lines.length === 0)
    return [
      `${visible(title)} has no texts of its own${kind === 'work' ? ': its agent gets the task' : ''}.`,
    ];
  return lines.slice(0, -1);
}
