import { resolve } from 'node:path';
import * as v from 'valibot';
import { last, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { visible } from '../frame/visible.ts';

const skillFiles = {
  files: v.array(
    v.strictObject({
      path: json.text,
      state: v.picklist(['made', 'same', 'updated', 'kept', 'replaced']),
      backup: json.maybe(json.text),
    }),
  ),
  dryRun: json.dryRun,
};

export const command: Definition = {
  options: [
    { name: 'user', summary: 'For all of your projects, in your home' },
    { name: 'dir', summary: 'To DIR/docket/SKILL.md', value: { kind: 'directory', label: 'DIR' } },
    { name: 'claude', summary: 'Also to .claude/skills, where there is no .claude yet' },
    { name: 'force', summary: 'Replace what somebody edited; a copy is kept beside it' },
    { name: 'dry-run', summary: 'Only say what would be written' },
  ],
  notes: [
    'It goes to .agents/skills/docket, and to .claude/skills/docket where there is a',
    '.claude. What you changed in it is left alone. Exit code: 4 something was left.',
  ],
  examples: ['docket skill install', 'docket skill install --user --dry-run'],
  answer: json.one('The files that teach agents; it fails when one was edited and is left.', skillFiles, {
    beside: skillFiles,
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out, world } = context;
  const { options } = args;
  const dir = last(args, 'dir');
  const dryRun = options.has('dry-run');
  if (dir !== undefined && (options.has('user') || options.has('claude')))
    throw usage('--dir is the only place then', 'leave out --user and --claude', 'skill install');
  const files = await withDocket(context, async (docket) =>
    (await docket.skill()).install({
      user: options.has('user'),
      vendors: options.has('claude') ? ['claude'] : [],
      force: options.has('force'),
      dryRun,
      ...(dir !== undefined && { dir: resolve(world.cwd, dir) }),
    }),
  );
  const kept = files.filter(({ state }) => state === 'kept');
  const code = kept.length > 0 ? 4 : 0;
  const message = `${kept.map(({ path }) => path).join(', ')} was edited and is left as it is`;
  const fix =
    'docket skill install --force replaces it and keeps a copy; docket skill show prints what is new';
  if (globals.json) {
    if (code === 0) out.answer({ files, dryRun });
    else out.refuse({ code: 'REFUSED', message, fix, data: {} }, { files, dryRun });
    return code;
  }
  for (const { path, state, backup } of files) {
    const copy = backup === undefined ? '' : `; what was there: ${visible(backup)}`;
    out.data(`${visible(path)}: ${words[state](dryRun)}${copy}`);
  }
  if (code !== 0) out.alarm(`error: ${visible(message)}\n  fix: ${fix}`);
  return code;
}

const words = {
  made: (dry: boolean) => (dry ? 'would be made' : 'made'),
  same: () => 'is there, nothing to do',
  updated: (dry: boolean) => (dry ? 'would be brought up to date' : 'brought up to date'),
  kept: () => 'was edited by somebody, left as it is',
  replaced: (dry: boolean) => (dry ? 'would be replaced' : 'replaced'),
} as const;
