import path from 'node:path';
import { shellWord } from '../../errors/shell-word.ts';
import { readBytes } from '../../io/files.ts';
import { exists } from '../../io/links.ts';
import { findProgram } from '../../io/process/find-program.ts';
import { canSandbox } from '../../io/process/sandbox.ts';
import { knownAgents } from '../agents.ts';
import { projectConfig, readConfig } from '../config.ts';
import { listAgents, type AgentInfo } from '../list-agents.ts';
import type { Where } from '../one-store.ts';
import { installAgent } from '../vendor-packages.ts';
import { ok, problem, type Check, type Seen } from './check.ts';
import { asRoot, fromRoot, installed, openAt, openSetting } from './remedy.ts';

export const agentChecks: readonly Check[] = [
  { name: 'agents', look: agents },
  { name: 'sandbox', look: sandbox },
];

async function agents(where: Where): Promise<Seen[]> {
  const all = await listAgents(where);
  const found = all.filter((one) => one.found);
  const usual = all.find((one) => one.default);
  const names = found.map(({ name, version }) => (version === undefined ? name : `${name} ${version}`));
  const seen: Seen[] = found.length > 0 ? [ok(`found: ${names.join(', ')}`)] : [];
  for (const { name, problem: why, default: isDefault } of all)
    if (why !== undefined && !isDefault)
      seen.push(
        problem('warn', `${name}: ${why}`, {
          fix: `mend agents.${name} in the settings`,
          command: await openSetting(where, 'agents', name),
        }),
      );
  if (found.length === 0)
    seen.push(
      problem('bad', 'no agent is installed', {
        fix: 'install one (codex, claude, gemini, copilot, opencode), or set a command of your own (docs/config.md)',
        command: 'npm install -g @openai/codex',
      }),
    );
  if (usual === undefined && found.length > 0) return [...seen, noDefault(found[0]?.name ?? '', where)];
  if (usual?.problem !== undefined || (usual && !usual.found))
    seen.push(
      problem('bad', `the default agent ${usual.name} cannot be started${after(usual.problem)}`, {
        where: 'defaultAgent',
        fix: 'install it, or name another one: docket agents shows what is there',
        command: await bringing(usual, where),
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

/** A vendor's program is installed; whatever else it is, the settings say what is started. */
async function bringing({ name, adapter, found }: AgentInfo, where: Where): Promise<string> {
  const isOwn = Object.hasOwn((await readConfig(where.root, where.env)).agents, name);
  const install = found || isOwn ? undefined : installAgent(adapter);
  return install ?? openSetting(where, 'agents', name);
}

function noDefault(first: string, { root }: Where): Seen {
  const file = fromRoot(root, projectConfig(root));
  const text = readBytes(projectConfig(root))?.toString('utf8');
  const line = shellWord(`defaultAgent: ${JSON.stringify(first)}`);
  const isBlock = text !== undefined && !text.trimStart().startsWith('{');
  return problem('warn', 'no agent is the default: every run needs --agent', {
    where: '.docket/config.yaml',
    fix: `write defaultAgent: ${first}`,
    command:
      text === undefined ? 'docket init' : isBlock ? `printf '\\n%s\\n' ${line} >> ${file}` : openAt(file),
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
    command: findProgram('bwrap', env, '/') ? allowNamespaces() : installed('bubblewrap', env),
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

/** The switches of the kernels that forbid them, the commonest first. */
const switches: readonly [file: string, on: string][] = [
  ['kernel/apparmor_restrict_unprivileged_userns', '0'],
  ['kernel/unprivileged_userns_clone', '1'],
  ['user/max_user_namespaces', '15000'],
];

function allowNamespaces(): string {
  const [file, on] = switches.find(([name]) => exists(`/proc/sys/${name}`)) ?? [
    'user/max_user_namespaces',
    '15000',
  ];
  return `${asRoot()}sysctl -w ${file.replace('/', '.')}=${on}`;
}
