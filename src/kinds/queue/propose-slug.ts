import { DocketError } from '../../errors.ts';
import { fenced } from '../../render/fence.ts';
import type { Project } from '../../settings/project.ts';

const longestMs = 90_000;
const longestText = 4000;

/** Asks the default agent, who may only read, for a short name. What it says counts only if it is one. */
export async function proposeSlug(
  text: string,
  agent: string | undefined,
  where: Project,
): Promise<string | undefined> {
  try {
    const [{ tryAgent }, { agentNameFor }, { readConfig }] = await Promise.all([
      import('../try-agent.ts'),
      import('../../settings/agents.ts'),
      import('../../settings/read-config.ts'),
    ]);
    const name = agent ?? agentNameFor(undefined, await readConfig(where.root, where.env));
    const signal = AbortSignal.timeout(longestMs);
    const { turn } = await tryAgent(
      { agent: name, prompt: promptFor(text), permission: 'read', signal },
      where,
    );
    const slug = turn.error ? undefined : slugIn(turn.text ?? '');
    if (slug !== undefined) return slug;
    where.warn(
      `${name} proposed no name (${turn.error?.message ?? 'its answer is none'}); it is made from the text`,
    );
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    where.warn(`no agent could be asked for a name: ${error.message}; it is made from the text`);
  }
  return undefined;
}

function promptFor(text: string): string {
  return [
    'Propose a short name for the task below: two to five English words, in lower-case letters a to z and digits,',
    'joined by "-". Answer with that name on a line of its own and nothing else. Do not work on the task.',
    '',
    fenced(text.slice(0, longestText), 'whoever wrote the task'),
  ].join('\n');
}

/** An answer is hostile text: only its last line counts, and only if it is a name from the first letter to the last. */
function slugIn(answer: string): string | undefined {
  const line =
    answer
      .trim()
      .split('\n')
      .at(-1)
      ?.trim()
      .replaceAll(/^[`"'*]+|[`"'*.]+$/g, '') ?? '';
  return line.length <= 40 && /^[a-z][a-z0-9]*(?:-[a-z0-9]+){0,7}$/.test(line) ? line : undefined;
}
