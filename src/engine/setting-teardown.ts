import { runSetup } from './setting-commands.ts';
import type { SettingOptions } from './setting-plan.ts';
import { forgetMade, readMade, readPorts, settingFolder } from './setting-record.ts';
import { variablesOf } from './setting-variables.ts';

/**
 * Runs a workspace's teardown, if it was set up and that was not undone yet. Returns what went wrong; then it is still to
 * be done. After it the workspace counts as never set up: a task that is taken up again begins with its setup.
 */
export async function tearDown(options: SettingOptions, signal: AbortSignal): Promise<string | undefined> {
  const { plan, root, key, workspace, env, redact } = options;
  if (!workspace || plan.teardown.length === 0) return undefined;
  const folder = settingFolder(root, key);
  if (!readMade(folder)) return undefined;
  const cwd = options.cwd();
  const variables = variablesOf(options, readPorts(folder));
  const running = {
    cwd,
    env: { ...env, ...variables },
    folder,
    log: 'teardown.log',
    signal,
    redact,
    ...held(options),
  };
  const failed = await runSetup(plan.teardown, running);
  if (failed) return `teardown failed: ${failed.text}`;
  if (signal.aborted) return 'the teardown was interrupted: it is run before the workspace is removed';
  forgetMade(folder);
  return undefined;
}

/** The agents have been there. */
function held({ low, root, mask }: SettingOptions) {
  return { low: low && root, ...(mask && { mask }) };
}
