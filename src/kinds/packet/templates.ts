import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { packageRoot } from '../../io/package-root.ts';
import { readTextFile } from '../../io/text-file.ts';

export interface Template {
  text: string;
  /** The file it came from. */
  source: string;
}

const maxBytes = 256 * 1024;
const plainWord = /^[a-z][a-z0-9_]*$/;

/** What a stage's agent is told: the workspace's own words for this tool and role, for the role, or those that come with docket. */
export function findTemplate(root: string, tool: string, role: string): Template {
  if (!plainWord.test(tool) || !plainWord.test(role))
    throw new DocketError(
      'INVALID',
      `"${tool}_${role}" is not the name of a stage`,
      'write <tool>_<role> in small letters, digits and underscores',
      { tool, role },
    );
  return firstOf(root, [`${tool}/${role}.md`, `${role}.md`]);
}

/** The rules that every stage's prompt begins with. */
export function findSharedRules(root: string): Template {
  return firstOf(root, ['shared.md']);
}

function firstOf(root: string, names: readonly [string, ...string[]]): Template {
  const places = [
    path.join(root, 'prompts-src', names[0]),
    ...names.map((name) => path.join(root, '.docket', 'prompts', 'packet', name)),
    ...names.map((name) => path.join(packageRoot(), 'prompts', 'packet', name)),
  ];
  for (const source of places) {
    const text = readTextFile(source, maxBytes);
    if (text === undefined) continue;
    if (text.trim() !== '') return { text, source };
    throw new DocketError('BAD_FILE', `${source} is empty`, 'write what the agent is to do, or remove it', {
      path: source,
    });
  }
  throw new DocketError(
    'NOT_FOUND',
    `there is no prompt template ${names.join(' or ')}`,
    `write ${path.join('.docket', 'prompts', 'packet', names[0])}`,
    { looked: places },
  );
}
