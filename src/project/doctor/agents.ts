import path from 'node:path';
import { installCommand, isVendor, vendorNames } from '../../adapters/adapters.ts';
import { messageOf } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { nearest } from '../../errors/nearest.ts';
import { shellWord } from '../../errors/shell-word.ts';
import { readBytes } from '../../io/files.ts';
import { findProgram, requireProgram } from '../../io/find-program.ts';
import { exists } from '../../io/links.ts';
import { canSandbox } from '../../io/process/sandbox.ts';
import { knownAgents, suggestedInstall } from '../../settings/agents.ts';
import type { Config } from '../../settings/config.ts';
import type { Project } from '../../settings/project.ts';
import { projectConfig, readConfig } from '../../settings/read-config.ts';
import { listAgents, type AgentInfo } from '../agents/list-agents.ts';
import { ok, problem, type Check, type Seen } from './check.ts';
import { asRoot, fromRoot, installed, openAt, openSetting } from './remedy.ts';

export const agentChecks: readonly Check[] = [
  { name: 'agents', look: agents },
  { name: 'sandbox', look: sandbox },
];

async function agents(where: Project): Promise<Seen[]> {
  const all = await listAgents(where);
  const found = all.filter((one) => one.found);
  const usual = all.find((one) => one.default);
  const names = found.map(({ name, version }) => (version === undefined ? name : `${name} ${version}`));
  const seen: Seen[] = found.length > 0 ? [ok(`found: ${names.join(', ')}`)] : [];
  const config = await readConfig(where.root, where.env);
  for (const one of all)
    if (!one.default && (one.problem !== undefined || isMissing(one, config)))
      seen.push(
        problem('warn', `${one.name}: ${whyNot(one, config, where) ?? 'its program is not there'}`, {
          fix: `mend agents.${one.name} in the settings, or what it starts`,
          command: await openSetting(where, 'agents', one.name),
        }),
      );
  if (found.length === 0)
    seen.push(
      problem('bad', 'no agent is installed', {
        fix: `install one (${vendorNames.join(', ')}), or set a command of your own (docs/config.md)`,
        command: await suggestedInstall(),
      }),
    );
  if (usual === undefined && config.defaultAgent !== undefined)
    return [...seen, await unknownDefault(config, where)];
  if (usual === undefined && found.length > 0) return [...seen, await noDefault(found[0]?.name ?? '', where)];
  if (usual?.problem !== undefined || (usual && !usual.found))
    seen.push(
      problem(
        'bad',
        `the default agent ${usual.name} cannot be started${after(whyNot(usual, config, where))}`,
        {
          where: 'defaultAgent',
          fix: fix`install it, or name another one: ${command`agents`} shows what is there`.text,
          command: await bringing(usual, where),
        },
      ),
    );
  else if (usual?.login === 'no')
    seen.push(
      problem('bad', `the default agent ${usual.name} is not logged in`, {
        fix: 'start it once by itself and log in',
        command: usual.program === undefined ? usual.name : path.basename(usual.program),
      }),
    );
  else if (usual) seen.push(ok(`default agent: ${usual.name}`));
  return seen;
}

/** A vendor's program is installed; whatever else it is, the settings say what is started. */
async function bringing({ name, adapter, found }: AgentInfo, where: Project): Promise<string> {
  const isOwn = Object.hasOwn((await readConfig(where.root, where.env)).agents, name);
  return !found && !isOwn && isVendor(adapter) ? installCommand(adapter) : openSetting(where, 'agents', name);
}

/** Of the vendors' own ones nobody needs all; one that the settings name is wanted. */
function isMissing({ name, found }: AgentInfo, { agents: set }: Config): boolean {
  return !found && Object.hasOwn(set, name);
}

/** What whoever starts it would hear. */
function whyNot(one: AgentInfo, config: Config, { root, env }: Project): string | undefined {
  const [program] = config.agents[one.name]?.command ?? [];
  if (one.problem !== undefined || one.found || program === undefined) return one.problem;
  try {
    requireProgram(program, env, root);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function unknownDefault(config: Config, where: Project): Promise<Seen> {
  const { defaultAgent = '' } = config;
  const near = nearest(defaultAgent, knownAgents(config).keys());
  const meant = near === undefined ? '' : `did you mean "${near}"? `;
  return problem('bad', `defaultAgent is "${defaultAgent}", and there is no agent of that name`, {
    where: 'defaultAgent',
    fix: fix`${meant}${command`agents`} shows which there are`.text,
    command: await openSetting(where, 'defaultAgent'),
  });
}

async function noDefault(first: string, { root }: Project): Promise<Seen> {
  const file = fromRoot(root, projectConfig(root));
  const text = readBytes(projectConfig(root))?.toString('utf8');
  const line = `defaultAgent: ${JSON.stringify(first)}`;
  const appended = `printf '\\n%s\\n' ${shellWord(line)} >> ${shellWord(file)}`;
  return problem('warn', 'no agent is the default: every run needs --agent', {
    where: '.docket/config.yaml',
    fix: `write defaultAgent: ${first}`,
    command:
      text === undefined
        ? String(command`init`)
        : (await isRead(`${text}\n${line}\n`))
          ? appended
          : openAt(file),
  });
}

/** Not every text takes one more line: it may be one in braces, end with a text of many lines, or have that key already. */
async function isRead(text: string): Promise<boolean> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  return document.errors.length === 0 && typeof document.get('defaultAgent') === 'string';
}

function after(why: string | undefined): string {
  return why === undefined ? '' : `: ${why}`;
}

async function sandbox({ root, env }: Project): Promise<Seen[]> {
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
