import type { Option } from '../table.ts';

/** Of everything that runs agents. */
export const noLive: Option = { name: 'no-live', summary: 'Plain lines also on a terminal' };
