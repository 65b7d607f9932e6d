import { canSandbox } from '../../src/io/process/sandbox.ts';

/** Why a test of the sandbox is not run here; undefined: it can be. */
export const noSandbox: string | undefined = (await canSandbox())
  ? undefined
  : 'bubblewrap is missing, or this kernel or container allows no user namespaces';

/** What nobody has tried is not shown: where a change is judged, a sandbox must be there. It is Linux's alone. */
if (noSandbox !== undefined && process.env['CI'] && process.platform === 'linux')
  throw new Error(
    `${noSandbox}, and CI is set: the tests of the sandbox are not left out there. Install bubblewrap (apt-get install bubblewrap) and allow user namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0)`,
  );
