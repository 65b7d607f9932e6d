import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { version } from '../frame/version.ts';

export const command: Definition = {
  options: [],
  examples: ['docket version', 'docket version --json'],
  answer: json.one('The version; the rest is for bug reports, and not with --version.', {
    version: json.text,
    node: json.maybe(json.text),
    platform: json.maybe(json.text),
    arch: json.maybe(json.text),
  }),
  run,
};

/** The long form, for a bug report. */
async function run({ globals, out }: Context): Promise<number> {
  const { version: node, platform, arch } = process;
  if (globals.json) out.answer({ version, node, platform, arch });
  else out.data(`docket ${version} (node ${node}, ${platform} ${arch})`);
  return 0;
}

/** `--version`: the bare number, for scripts. */
export function printVersion({ globals, out }: Context): number {
  if (globals.json) out.answer({ version });
  else out.data(version);
  return 0;
}
