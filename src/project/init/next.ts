import { vendorNames } from '../../adapters/adapters.ts';
import { command } from '../../errors/command.ts';
import { suggestedInstall } from '../../settings/agents.ts';
import type { AgentInfo } from '../agents/list-agents.ts';
import type { GitState } from './git-state.ts';

/** A line to type, and what it is for. */
export interface NextCommand {
  command: string;
  does: string;
}

/** What a person types after `docket init`, in this order. */
export async function nextCommands(git: GitState, agents: readonly AgentInfo[]): Promise<NextCommand[]> {
  const usable = agents.filter(({ found, problem }) => found && problem === undefined);
  return [
    ...gitCommands(git),
    ...(usable.length === 0
      ? [
          {
            command: await suggestedInstall(),
            does: `install an agent (or ${vendorNames.slice(1, 3).join(', ')}, …)`,
          },
          {
            command: 'edit .docket/config.yaml',
            does: 'or use your own command as the agent (agents: in that file)',
          },
          { command: String(command`demo`), does: 'or see docket at work: it needs no agent' },
        ]
      : []),
    {
      command: String(command`add "Fix the flaky login test"`),
      does: 'queue a first task, in your own words',
    },
    { command: String(command`run`), does: 'run the queue' },
    { command: String(command`doctor`), does: 'see whether anything is missing' },
  ];
}

function gitCommands(git: GitState): NextCommand[] {
  if (git.state === 'missing')
    return [{ command: 'git --version', does: 'install git first: it is not on PATH' }];
  if (git.state === 'refused') return [{ command: 'git status', does: `see why git refuses: ${git.why}` }];
  const first = {
    command: 'git add . && git commit -m "Begin"',
    does: 'a first commit: workspaces are made from it',
  };
  if (git.state === 'none') return [{ command: 'git init', does: 'make it a repository' }, first];
  return git.hasCommit ? [] : [first];
}
