import { aboutOne } from './about-one.ts';
import { agentCommands } from './agents.ts';
import type { Published } from './answer.ts';
import { around } from './around.ts';
import { board } from './board.ts';
import { chat } from './chat.ts';
import { git } from './git.ts';
import { packets } from './packets.ts';
import { queue } from './queue.ts';
import { setup } from './setup.ts';
import { spending } from './spending.ts';
import { tasks } from './tasks.ts';
import { views } from './view.ts';
import { workflows } from './workflows.ts';

/** What each command prints with --json. No command loads this: it is for who publishes and checks it. */
export const allAnswers: ReadonlyMap<string, Published> = new Map(
  Object.entries({
    ...views,
    ...queue,
    ...aboutOne,
    ...git,
    ...tasks,
    ...packets,
    ...board,
    ...chat,
    ...workflows,
    ...spending,
    ...setup,
    ...agentCommands,
    ...around,
  }),
);

/** Commands whose output is not ours to describe, and why. */
export const undescribed: Readonly<Record<string, string>> = {
  compat: 'it prints what the scripts of the original board print',
};
