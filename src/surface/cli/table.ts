import type { Context } from './context.ts';
import type { statusSynonyms } from './statuses.ts';
import { agentsSideCommands, agentsSideGroups } from './tables/agents-side.ts';
import { aroundCommands } from './tables/around.ts';
import { boardCommands, boardGroups } from './tables/board.ts';
import { chatCommands, chatGroups } from './tables/chat.ts';
import { compatCommands } from './tables/compat.ts';
import { demoCommands } from './tables/demo.ts';
import { notifyCommands, notifyGroups } from './tables/notify.ts';
import { packetCommands, packetGroups } from './tables/packet.ts';
import { queueFileCommands, queueFileGroups } from './tables/queue-files.ts';
import { queueGitCommands } from './tables/queue-git.ts';
import { queueTaskCommands } from './tables/queue-tasks.ts';
import { queueCommands } from './tables/queue.ts';
import { setupCommands } from './tables/setup.ts';
import { spendingCommands } from './tables/spending.ts';
import { taskCommands, taskGroups } from './tables/task.ts';
import { viewCommands } from './tables/view.ts';
import { workflowCommands, workflowGroups } from './tables/workflow.ts';

/** The one table of commands. Parsing, help and completion are all read from it. */
export interface Command {
  /** One word, or a group and a word (`gate approve`). */
  readonly name: string;
  /** The heading under which help lists it. */
  readonly group: string;
  readonly summary: string;
  readonly operand?: Operand;
  readonly options: readonly Option[];
  /** It gets the options that it does not know, and says itself what becomes of them. */
  readonly lenient?: true;
  /** What follows it is another program's line: it gets every word as it stands. */
  readonly raw?: true;
  readonly examples: readonly string[];
  /** Lines that help shows below the options. */
  readonly notes?: readonly string[];
  readonly load: () => Promise<{ run: (context: Context) => Promise<number> }>;
}

/** A first word that is no command by itself, only the beginning of some. */
export type Group = Required<Pick<Command, 'name' | 'group' | 'summary' | 'notes' | 'examples'>>;

/** What a word may be; completion offers it, and the parser refuses other words of a closed list. */
type Words =
  | { readonly kind: 'text' | 'integer' | 'file' | 'directory' | 'command' }
  | { readonly kind: 'oneOf'; readonly words: readonly string[]; readonly synonyms?: typeof statusSynonyms };

export type Operand = Words & { readonly label: string; readonly min: number; readonly max: number };

export interface Option {
  readonly name: string;
  readonly short?: string;
  readonly summary: string;
  /** Absent for a flag. `many`: may be repeated, and takes a list with commas. */
  readonly value?: Words & { readonly label: string; readonly many?: true };
  /** A flag that may say more behind "=": `--worktree=PATH`. The next word is never its value. */
  readonly inline?: { readonly label: string };
}

export { globalOptions } from './global-options.ts';

export const groups: readonly Group[] = [
  ...queueFileGroups,
  ...taskGroups,
  ...packetGroups,
  ...boardGroups,
  ...chatGroups,
  ...workflowGroups,
  ...notifyGroups,
  ...agentsSideGroups,
];
export const commands: readonly Command[] = [
  ...setupCommands,
  ...demoCommands,
  ...queueCommands,
  ...viewCommands,
  ...queueTaskCommands,
  ...queueFileCommands,
  ...queueGitCommands,
  ...taskCommands,
  ...packetCommands,
  ...boardCommands,
  ...chatCommands,
  ...workflowCommands,
  ...notifyCommands,
  ...compatCommands,
  ...spendingCommands,
  ...agentsSideCommands,
  ...aroundCommands,
];
