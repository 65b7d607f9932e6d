/** The kinds of tasks, in the order in which docket looks for a name. The only list of them outside of `kinds.ts`. */
export const kindNames = ['queue', 'task', 'packet', 'board'] as const;
export type KindName = (typeof kindNames)[number];
