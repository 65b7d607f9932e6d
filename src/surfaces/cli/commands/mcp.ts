import * as v from 'valibot';
import { last, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { visible } from '../frame/visible.ts';

export const command: Definition = {
  options: [
    {
      name: 'as',
      summary: 'Who the agent is on the board; give each its own',
      value: { kind: 'text', label: 'NAME' },
    },
    { name: 'read-only', summary: 'Only docket_list and docket_show' },
    { name: 'answers', summary: 'Also docket_answer: pass on your answers to questions' },
    { name: 'print-config', summary: 'Print how Claude Code, Codex, Gemini … are told of it' },
  ],
  notes: [
    'Tools: docket_list, _show, _create, _claim, _report, _ask. None of them changes',
    'settings, gates, budgets or trust; done is done when docket’s checks pass.',
    'claim, report and ask need a board (docket board init). It ends with stdin.',
  ],
  examples: [
    'docket mcp --print-config',
    'claude mcp add docket -- docket mcp --as claude',
    'codex mcp add docket -- docket mcp --as codex',
  ],
  answer: json.one(
    'With --print-config only: how clients are told of the server. Else docket mcp speaks the Model Context Protocol on stdin and stdout.',
    {
      root: json.text,
      configs: v.array(v.strictObject({ client: json.text, how: json.text, text: json.text })),
    },
  ),
  run,
};

const usualName = 'mcp-agent';

async function run(context: Context): Promise<number> {
  const { args } = context;
  const name = last(args, 'as');
  const readOnly = args.options.has('read-only');
  const answers = args.options.has('answers');
  if (readOnly && answers)
    throw usage('--answers conflicts with --read-only', 'leave one of them out', 'mcp');
  if (args.options.has('print-config')) return printConfig(context, name, { readOnly, answers });
  return (await import('../../mcp/serve.ts')).serve(context, name ?? usualName, { readOnly, answers });
}

/** Ready to be copied. Without --as every client gets a name of its own. */
async function printConfig(
  context: Context,
  as: string | undefined,
  { readOnly, answers }: { readOnly: boolean; answers: boolean },
): Promise<number> {
  const { out, globals } = context;
  const { mcpClients } = await import('../../../project/for-agent/mcp-clients.ts');
  const { words, root } = await withDocket(context, async (docket) => {
    const side = await docket.forAgent(as ?? usualName);
    return { words: await side.launchWords(), root: docket.root };
  });
  const how = (name: string) =>
    readOnly ? ['--read-only'] : ['--as', as ?? name, ...(answers ? ['--answers'] : [])];
  const configs = await mcpClients({
    here: (name) => [...words, 'mcp', '--root', root, ...how(name)],
    shared: (name) => ['docket', 'mcp', ...how(name)],
  });
  if (globals.json) out.answer({ root, configs });
  else
    for (const { client, how: what, text } of configs)
      out.data(`# ${client}: ${what}\n${text.split('\n').map(visible).join('\n')}\n`);
  return 0;
}
