import type { Option } from '../table.ts';

const noLive: Option = { name: 'no-live', summary: 'Plain lines also on a terminal' };
const stream: Option = {
  name: 'stream',
  summary: 'With --json: a line for all that happens, the answer last',
};

/** How everything that runs agents is watched. */
export const watching: readonly Option[] = [stream, noLive];
