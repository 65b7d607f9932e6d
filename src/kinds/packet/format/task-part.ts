import { codeBlock } from '../../../render/markdown.ts';
import type { Manifest } from './manifest.ts';
import { parseStage } from './stages.ts';

type Held = Pick<Manifest, 'task_id' | 'goal' | 'scope' | 'acceptance' | 'security'>;

/**
 * What every stage is held to, in the manifest's words: an agent that was not told its scope or the commands would have
 * to guess them. The headings are those of every prompt of docket.
 */
export function renderTask(manifest: Held, stage: string, stages: readonly string[]): string {
  const { task_id, goal, scope, acceptance, security } = manifest;
  const writes = parseStage(stage)?.writes === 'tree';
  return [
    '# Task',
    '',
    goal.trim(),
    '',
    '# Context',
    '',
    `Stage ${stages.indexOf(stage) + 1} of ${stages.length} (${stages.join(', ')}) of the packet ${task_id}: ${stage}.`,
    'The context pack, the request and the attachments follow below.',
    '',
    '# Files',
    '',
    ...listed('Paths that may change', scope.allow, 'None.'),
    ...listed('Paths that must not change', scope.deny, 'None besides those above.'),
    ...(security.forbidden_paths.length === 0
      ? []
      : listed('Paths that you must not open or quote', security.forbidden_paths, '')),
    ...(writes ? [] : ['This stage changes no files.', '']),
    '# Done when',
    '',
    ...commandLines(acceptance.commands),
    ...listed('Acceptance criteria', acceptance.criteria, 'None given; the request and the goal decide.'),
    '# Report',
    '',
    'Answer as the role says. Write its headings and fixed words exactly as given there, and everything else in the',
    'language of the request.',
  ].join('\n');
}

function listed(title: string, items: readonly string[], none: string): string[] {
  if (items.length === 0) return [`${title}: ${none}`, ''];
  return [`${title}:`, ...items.map((item) => `- ${item.trim().replaceAll(/\s*\n\s*/g, ' ')}`), ''];
}

function commandLines(commands: readonly string[]): string[] {
  if (commands.length === 0) return ['Commands that docket runs to check the result: none.', ''];
  const title = 'Commands that docket runs in the root of the project to check the result; each must exit 0:';
  return [title, codeBlock(commands.map((command) => command.trimEnd()).join('\n'), 'sh'), ''];
}
