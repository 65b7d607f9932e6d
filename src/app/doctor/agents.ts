import path from 'node:path';
import { canSandbox } from '../../io/process/sandbox.ts';
import { knownAgents } from '../agents.ts';
import { readConfig } from '../config.ts';
import { listAgents } from '../list-agents.ts';
import type { Where } from '../one-store.ts';
import { ok, problem, type Check, type Seen } from './check.ts';

export const agentChecks: readonly Check[] = [
  { name: 'agents', look: agents },
  { name: 'sandbox', look: sandbox },
];

async function agents({ root, env }: Where): Promise<Seen[]> {
  const all = await listAgents({ root, env });
  const found = all.filter((one) => one.found);
  const usual = all.find((one) => one.default);
  const names = found.map(({ name, version }) => (version === undefined ? name : `${name} ${version}`));
  const seen: Seen[] = found.length > 0 ? [ok(`found: ${names.join(', ')}`)] : [];
  for (const { name, problem: why, default: isDefault } of all)
    if (why !== undefined && !isDefault)
      seen.push(problem('warn', `${name}: ${why}`, { fix: `mend agents.${name} in the settings` }));
  if (found.length === 0)
    seen.push(
      problem('bad', 'no agent is installed', {
        fix: 'install one (codex, claude, gemini, copilot, opencode), or set a command of your own (docs/config.md)',
        command: 'npm install -g @openai/codex',
      }),
    );
  if (usual === undefined && found.length > 0) return [...seen, noDefault(found[0]?.name ?? '')];
  if (usual?.problem !== undefined || (usual && !usual.found))
    seen.push(
      problem('bad', `the default agent ${usual.name} cannot be started${after(usual.problem)}`, {
        where: 'defaultAgent',
        fix: 'install it, or name another one: docket agents shows what is there',
        command: 'docket agents',
      }),
    );
  else if (usual?.login === 'no')
    seen.push(
      problem('bad', `the default agent ${usual.name} is not logged in`, {
        fix: 'start it once by itself and log in',
        command: usual.program === undefined ? usual.name : path.basename(usual.program),
      }),
    );
  else if (usual) seen.push(ok(`${usual.name} does what names nobody`));
  return seen;
}

function noDefault(first: string): Seen {
  return problem('warn', 'no agent is the default: every run needs --agent', {
    where: '.docket/config.yaml',
    fix: `write defaultAgent: ${first}`,
    command: 'docket init --dry-run',
  });
}

function after(why: string | undefined): string {
  return why === undefined ? '' : `: ${why}`;
}

async function sandbox({ root, env }: Where): Promise<Seen[]> {
  if (await canSandbox()) return [ok('bubblewrap works')];
  const config = await readConfig(root, env);
  const needing = [...knownAgents(config)].filter(([, one]) => one.sandbox === 'bubblewrap');
  const remedy = {
    fix: 'install bubblewrap and allow user namespaces (docs/trust.md)',
    command: 'apt-get install bubblewrap',
  };
  if (needing.length > 0)
    return [
      problem(
        'bad',
        `bubblewrap does not work here: ${needing.map(([name]) => name).join(', ')} cannot run`,
        {
          where: 'agents.<name>.sandbox',
          ...remedy,
        },
      ),
    ];
  const what = 'bubblewrap does not work here: tasks from issues and chats may only read, or are blocked';
  return [problem('warn', what, remedy)];
}
