import { spawnSync } from 'node:child_process';

/** Runs docket in the demonstration's own folder, with no settings but the ones that lie there. */
export function runner(docket, root) {
  return (...args) => {
    const options = { encoding: 'utf8', env: { ...process.env, HOME: root, DOCKET_HOME: root } };
    const argv = [docket, '--root', root, ...args];
    const { stdout, stderr, status } = spawnSync(process.execPath, argv, options);
    return { text: `${stderr}${stdout}`, out: stdout.trim(), status };
  };
}
