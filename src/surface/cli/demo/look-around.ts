import type { DemoEnd } from '../../../app/demo/play.ts';
import { shellWord } from '../../../errors/shell-word.ts';
import type { Paint } from '../style.ts';

/** The last words: how long it took, and where to look next. */
export function lookAround(end: DemoEnd, seconds: number, paint: Paint): string {
  const { agent, kept, repository, folder, command, env } = end;
  const took = `\n${paint('green', '✓')} Everything was as it should be, in ${Math.round(seconds)} s, by the agent "${agent}".`;
  const yours = 'In a repository of yours: docket init, docket agents, docket add "…" --worktree, docket run';
  if (!kept) return `${took}\n${yours}`;
  const name = command === 'docket' ? '' : `\n  alias docket=${shellWord(command)}`;
  const set = Object.entries(env).map(([key, value]) => ` ${key}=${shellWord(value)}`);
  const own = set.length === 0 ? '' : `\n  export${set.join('')}`;
  return `${took}
Look around in what it left:
  cd ${shellWord(repository)}${name}${own}
  docket status                    # everything on one screen
  docket show zero                 # a task, with every step and what proves it
  docket explain zero              # how it came to be as it is
  docket logs days                 # what an agent said and did
  docket cost                      # what it all used
  ls .takt .agentmesh .tmp state   # it is all plain text
  rm -r ${shellWord(folder)}
${yours}`;
}
