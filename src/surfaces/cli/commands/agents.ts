import { suggestedInstall } from '../../../project/agents/list-agents.ts';
import type { Docket } from '../../../project/docket.ts';
import { agents } from '../agent/answer.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import type { Paint } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';

export const command: Definition = {
  options: [],
  notes: ['No call is spent. Settings: agents and defaultAgent in .docket/config.yaml.'],
  examples: ['docket agents', "docket agents --json | jq '.agents[] | select(.found)'"],
  answer: json.one('The agents that can be named, and what is known about them.', { agents }),
  run,
};

type Info = Awaited<ReturnType<Docket['agents']>>[number];

async function run(context: Context): Promise<number> {
  const { out, globals } = context;
  const agents = await withDocket(context, (docket) => docket.agents());
  if (globals.json) {
    out.answer({ agents });
    return 0;
  }
  const width = Math.max(...agents.map(({ name }) => name.length));
  for (const info of agents) out.data(row(info, width, out.paintData));
  const first = agents.find(({ found }) => found);
  if (first === undefined) {
    out.talk(
      `No agent is installed. Install one (${await suggestedInstall()}), or set a command of your own:`,
    );
    out.talk('  agents: { mine: { adapter: command, command: [./agent.sh] } }   in .docket/config.yaml');
  } else if (!agents.some((info) => info.default)) {
    out.talk(`No default. Write "defaultAgent: ${first.name}" into .docket/config.yaml, or use --agent.`);
  }
  return 0;
}

function row(info: Info, width: number, paint: Paint): string {
  const state = info.found ? paint('green', 'found  ') : paint('dim', 'missing');
  const facts = [
    info.version,
    info.found && info.login !== 'unknown'
      ? info.login === 'yes'
        ? 'logged in'
        : 'not logged in'
      : undefined,
    info.permission,
    info.model,
    info.default ? 'default' : undefined,
    can(info),
  ];
  const name = visible(info.name).padEnd(width);
  const line = `${name}  ${state}  ${facts
    .filter((fact) => fact !== undefined)
    .map(visible)
    .join(', ')}`;
  return info.problem === undefined
    ? line
    : `${line}\n  ${paint('yellow', 'problem:')} ${visible(info.problem)}`;
}

function can({ capabilities, found }: Info): string | undefined {
  if (!found) return undefined;
  const { resume, fork, structured, approvals } = capabilities;
  const names = Object.entries({ resume, fork, structured, approvals }).flatMap(([name, has]) =>
    has ? [name] : [],
  );
  return names.length === 0 ? undefined : `can: ${names.join(' ')}`;
}
