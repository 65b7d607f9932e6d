import { last, usage } from '../args.ts';
import { withApp, type Context } from '../context.ts';
import { visible } from '../visible.ts';

const usualName = 'mcp-agent';

export async function run(context: Context): Promise<number> {
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
  const { mcpClients } = await import('../../../app/for-agent/mcp-clients.ts');
  const { words, root } = await withApp(context, async (app) => {
    const side = await app.forAgent(as ?? usualName);
    return { words: await side.launchWords(), root: app.root };
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
