import { page, plain, table } from './markdown.mjs';

/** Where the file is, and who writes it. */
const writers = {
  'acceptance-policy': 'you; `docket board init --settings` writes the shipped one',
  config: 'you; `docket init` begins it, `docket budget set` changes one line',
  'context-manifest': 'you or an orchestrator; docket reads it',
  event: 'docket, one line for each thing that happens',
  'evidence-entry': 'docket, when a worker has handed in',
  'joined-summary': 'docket, when workers have handed in',
  'orchestrator-actions': 'you or an orchestrator: `docket task run --actions`',
  'packet-manifest': 'you; `docket packet new` begins it',
  'protocol-config': 'you; `docket board init --settings` writes the shipped one',
  session: 'docket, for each agent of a task directory',
  task: 'docket; what you add to it stays',
  'worker-output': 'an agent, as its last answer',
  'worker-output.strict': 'an agent, as its last answer',
};

export function schemasPage(schemas, answers) {
  return page(
    'Schemas',
    'the files in schemas/',
    'JSON Schemas of the files that docket reads and writes. They are part of the package: `docket/schemas/<file>`.',
    table(
      ['schema', 'what it describes', 'who writes it'],
      schemas.map(([file, { title, description }]) => [
        `[${file}](../../schemas/${file})`,
        plain([title, description].filter((text) => text !== undefined).join('. ')),
        writers[file.replace(/\.schema\.json$/, '')] ?? 'docket',
      ]),
    ),
    '## What commands print with `--json`',
    'One JSON value, `{"v":1,"ok":true,…}`, or a stream of them: one on each line, each valid by itself. What was not done, or did not end well, is `{"v":1,"ok":false,"error":{"code","message","fix","data"}}`, and some commands tell what they know beside it. `v` changes when a field goes or gets another meaning; fields that are added do not change it, so leave alone what you do not know. Only `docket compat` prints what the scripts of the original board print.',
    table(
      ['command', 'what it answers'],
      answers.map(([file, { title, description }]) => [
        `[${title.replace(/ --json$/, '')}](../../schemas/cli/${file})`,
        plain(description.replace(/ One JSON value\.$/, '')),
      ]),
    ),
  );
}
