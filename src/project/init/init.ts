import path from 'node:path';
import { loadVendors } from '../../adapters/adapters.ts';
import { DocketError } from '../../errors.ts';
import { createFile, readBytes, sizeAndInode } from '../../io/files.ts';
import { tryGit } from '../../io/git.ts';
import { exists } from '../../io/links.ts';
import { ignoreOwn, isOwnFolder, makeOwnFolder, ownRules } from '../../io/own-folder.ts';
import { isVariant } from '../../settings/agents.ts';
import { readConfig } from '../../settings/read-config.ts';
import { listAgents, type AgentInfo } from '../agents/list-agents.ts';
import { noteOn, planAgentsMd, writeAgentsMd } from './agents-md.ts';
import { configText } from './config-text.ts';
import { gitState, type GitState } from './git-state.ts';
import { nextCommands, type NextCommand } from './next.ts';
import { toolingOf, type Tooling } from './project.ts';

interface Here {
  root: string;
  env: Readonly<Record<string, string | undefined>>;
}

export interface InitInput {
  agentsMd: boolean;
  dryRun: boolean;
}

/** A file that is needed. `there`: it was, and was left as it is. `text`: what a dry run would have written. */
interface InitFile {
  path: string;
  state: 'made' | 'updated' | 'there';
  text?: string;
}

export interface Initialized {
  git: GitState;
  tooling: Pick<Tooling, 'managers' | 'tests'>;
  agents: AgentInfo[];
  files: InitFile[];
  notes: string[];
  next: NextCommand[];
}

const configFile = '.docket/config.yaml';
const ignoreFile = '.docket/.gitignore';
/** Where a project that has docket among its packages finds the schema. */
const schemaFile = 'node_modules/docket/schemas/config.schema.json';
const longest = 1024 * 1024;

/** Makes what is missing for a first task, and changes nothing that is there. A dry run only tells. */
export async function initProject(here: Here, { agentsMd, dryRun }: InitInput): Promise<Initialized> {
  const { root } = here;
  isOwnFolder(path.join(root, '.docket')); // a link there is refused before anything is made
  if (agentsMd) planAgentsMd(root, []); // and so is a file that nobody could add to
  const notes: string[] = [];
  const tooling = toolingOf((name) => peek(root, name, notes));
  notes.push(...tooling.notes);
  const [git, agents] = await Promise.all([gitState(root), foundAgents(here, notes)]);
  const text = configText({ ...chosen(agents), tooling, ...schemaFor(root) });
  const files = dryRun ? planned(root, text) : made(root, text);
  if (agentsMd) {
    const unwritten = dryRun && !isThere(root, configFile) ? tooling.tests.slice(0, 1) : [];
    const acceptance = await acceptanceIn(here, unwritten);
    const { text: whole, ...file } = dryRun
      ? planAgentsMd(root, acceptance)
      : await writeAgentsMd(root, path.join(root, '.docket'), acceptance);
    files.push(dryRun ? { ...file, text: whole } : file);
    notes.push(...(await loadVendors()).flatMap((vendor) => noteOn(vendor, root) ?? []));
  }
  if (git.state === 'ok' && (await tryGit(root, ['check-ignore', '--quiet', configFile])).code === 0)
    notes.push(`a .gitignore of yours keeps ${configFile} out of git: nobody else will get these settings`);
  const { managers, tests } = tooling;
  return { git, tooling: { managers, tests }, agents, files, notes, next: await nextCommands(git, agents) };
}

function planned(root: string, config: string): InitFile[] {
  return [
    { path: configFile, content: config },
    { path: ignoreFile, content: ownRules },
  ].map(({ path: name, content }) =>
    isThere(root, name) ? { path: name, state: 'there' } : { path: name, state: 'made', text: content },
  );
}

/** The rules for git first: what is made after them is never seen by a commit of somebody else's. */
function made(root: string, config: string): InitFile[] {
  const folder = makeOwnFolder(root, '.docket');
  const ignore: InitFile = { path: ignoreFile, state: ignoreOwn(folder) ? 'made' : 'there' };
  const isMade = createFile(path.join(root, configFile), config, { sync: true });
  return [{ path: configFile, state: isMade ? 'made' : 'there' }, ignore];
}

function isThere(root: string, name: string): boolean {
  return sizeAndInode(path.join(root, name)) !== undefined;
}

/** Which agent the file names: one that is logged in before one of which nobody knows. */
function chosen(agents: readonly AgentInfo[]): { agent?: string; usual?: string; others: string[] } {
  const usable = agents.filter(({ found, problem }) => found && problem === undefined);
  const usual = agents.find((one) => one.default)?.name;
  const names = (login: AgentInfo['login']) =>
    usable.filter((one) => one.login === login && !isVariant(one.name)).map(({ name }) => name);
  const all = [...names('yes'), ...names('unknown'), ...names('no')];
  const [agent, ...others] = all;
  if (usual !== undefined) return { usual, others: all.filter((name) => name !== usual) };
  return { ...(agent !== undefined && { agent }), others };
}

/** Settings that are broken are told, and stop nothing: who mends them may have come for this. */
async function foundAgents(here: Here, notes: string[]): Promise<AgentInfo[]> {
  try {
    return await listAgents(here);
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    notes.push(`the agents were not looked for: ${error.message} (${error.fix})`);
    return [];
  }
}

/** What the settings ask for, where they can be read. */
async function acceptanceIn({ root, env }: Here, otherwise: readonly string[]): Promise<readonly string[]> {
  try {
    return (await readConfig(root, env)).acceptance ?? otherwise;
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    return otherwise; // told with the agents
  }
}

function schemaFor(root: string): { schema?: string } {
  return exists(path.join(root, schemaFile)) ? { schema: `../${schemaFile}` } : {};
}

/** A file of the project that may be anything. What cannot be read is told and counts as missing. */
function peek(root: string, name: string, notes: string[]): string | undefined {
  const file = path.join(root, name);
  try {
    const size = sizeAndInode(file)?.size;
    if (size === undefined) return undefined;
    return size > longest ? '' : readBytes(file)?.toString('utf8');
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    notes.push(`${name} was not looked at: ${error.message}`);
    return undefined;
  }
}
