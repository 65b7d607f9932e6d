import * as v from 'valibot';
import { isVariant } from '../../../project/agents/list-agents.ts';
import type { Docket } from '../../../project/docket.ts';
import { agents } from '../agent/answer.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { visible, visibleLines } from '../frame/visible.ts';

type Done = Awaited<ReturnType<Docket['init']>>;
const git = json.like<Done['git']>()(
  v.variant('state', [
    v.strictObject({ state: v.literal('missing') }),
    v.strictObject({ state: v.literal('none') }),
    v.strictObject({ state: v.literal('refused'), why: json.text }),
    v.strictObject({
      state: v.literal('ok'),
      top: json.text,
      branch: json.maybe(json.text),
      hasCommit: json.flag,
      busy: json.maybe(json.text, 'A merge or rebase that is half done.'),
    }),
  ]),
);
const init = json.like<Done>()(
  v.strictObject({
    git,
    tooling: v.strictObject({ managers: json.texts, tests: json.texts }),
    agents,
    files: v.array(
      v.strictObject({
        path: json.text,
        state: v.picklist(['made', 'updated', 'there']),
        text: json.maybe(json.text, 'What a dry run would have written.'),
      }),
    ),
    notes: json.texts,
    next: v.array(json.next),
  }),
).entries;

export const command: Definition = {
  options: [
    { name: 'agents-md', summary: 'Also tell agents about docket, in a block of AGENTS.md' },
    { name: 'dry-run', summary: 'Only show what would be written' },
  ],
  notes: [
    'Looks for git, agents, package manager and test command, and writes a short',
    '.docket/config.yaml from it. What is there already is left as it is, and told;',
    'of AGENTS.md only what stands between the two markers of docket is replaced.',
    'It works in the root of the repository: docket init --root . for this folder.',
  ],
  examples: ['docket init', 'docket init --dry-run', 'docket init --agents-md'],
  answer: json.one('What was made and found, and which commands come next.', {
    root: json.text,
    dryRun: json.dryRun,
    ...init,
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const dryRun = args.options.has('dry-run');
  const input = { dryRun, agentsMd: args.options.has('agents-md') };
  const { root, done } = await withDocket(context, async (docket) => ({
    root: docket.root,
    done: await docket.init(input),
  }));
  if (globals.json) {
    out.answer({ root, dryRun, ...done });
    return 0;
  }
  out.talk(`${dryRun ? 'This would be done' : 'Done'} in ${visible(root)}:`);
  // A dry run is asked for what it would make.
  for (const { path, state, text } of globals.quiet && !dryRun ? [] : done.files) {
    out.data(`${stateWord(state, dryRun)}  ${path}`);
    if (text !== undefined) out.data(indented(text));
  }
  for (const line of foundLines(done)) out.talk(line);
  for (const note of done.notes) out.talk(`note: ${visible(note)}`);
  const paint = out.paintTalk;
  out.talk('Next:');
  const width = Math.max(...done.next.map(({ command }) => command.length));
  for (const { command, does } of done.next)
    out.talk(`  ${paint('bold', command.padEnd(width))}  ${paint('dim', visible(does))}`);
  return 0;
}

function stateWord(state: Done['files'][number]['state'], dryRun: boolean): string {
  if (state === 'there') return 'left as it is';
  return (dryRun ? { made: 'would make', updated: 'would change' }[state] : state).padEnd(13);
}

function indented(text: string): string {
  return visibleLines(text.trimEnd(), '    ').replace(/^/, '    ');
}

/** What the settings were made from. */
function foundLines({ git, tooling, agents }: Done): string[] {
  const installed = agents.filter(({ found, name }) => found && !isVariant(name));
  const [test] = tooling.tests;
  return [
    `Found: git: ${gitWords(git)}`,
    `       agents: ${installed.length === 0 ? 'none' : installed.map(agentWords).join(', ')}`,
    `       project: ${tooling.managers.join(', ') || 'no package manager'}; tests: ${test ?? 'no command'}`,
  ];
}

function gitWords(git: Done['git']): string {
  if (git.state === 'missing') return 'not installed';
  if (git.state === 'none') return 'not a repository yet';
  if (git.state === 'refused') return 'refuses to work here';
  const branch = git.branch === undefined ? 'no branch' : `branch ${visible(git.branch)}`;
  return git.hasCommit ? branch : `${branch}, no commit yet`;
}

function agentWords({ name, login }: Done['agents'][number]): string {
  return login === 'no' ? `${visible(name)} (not logged in)` : visible(name);
}
