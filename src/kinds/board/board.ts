import type { TaskView } from '../../render/board/outcome.ts';
import type { Project } from '../../settings/project.ts';
import { act, type Asked, type Heard } from './act.ts';
import type { AutopilotInput } from './autopilot.ts';
import { deskAt, keepOpen, lookAt } from './desk.ts';
import type { FollowInput, News } from './follow.ts';
import type { Intent } from './format/intent.ts';
import type { Protocol } from './format/protocol-file.ts';
import type { Route } from './format/route/route.ts';
import type { LiveRules } from './rules.ts';
import { isQuestion, routed, say, type Said } from './say.ts';
import type { AutopilotRan } from './steps.ts';

/** Who does what: tasks that people and agents claim, in their own words. */
export interface Board {
  /** Understands a message, does what it says, and answers. */
  say(said: Said): Promise<Heard>;
  /** The same for who knows what they want without a text. */
  act(intent: Intent, asked: Asked): Promise<Heard>;
  /** What a message means. Changes nothing. */
  route(said: Omit<Said, 'signal'>): Promise<Route>;
  /** All tasks, without a lock and without writing a byte. */
  list(): Promise<TaskView[]>;
  /** Gives tasks to workers, as far as that is ordered: `auto progress on`, `autopilot N`, dispatches of the mode spawn. */
  autopilot(input: AutopilotInput): Promise<AutopilotRan>;
  /** What the group is told, from a line of the log on, as it comes. */
  follow(input: FollowInput): AsyncIterable<News>;
  /** Opens the files once for many commands; resolves to what closes them. */
  keepOpen(): Promise<() => Promise<void>>;
  /** Lets the rules hold as their files have them now; a file that is wrong is told about, and changes nothing. */
  refresh(onWrong: (message: string) => void): Promise<Protocol>;
}

/** `fallback`: a folder whose rules hold where the board has none. */
export function makeBoard(where: Project, fallback?: string): Board {
  const desk = deskAt(where, fallback);
  let rules: LiveRules | undefined;
  const withoutSecrets = async (intent: Intent): Promise<Intent> =>
    isQuestion(intent) ? intent : (await import('../../settings/masking.ts')).maskWords(where, intent);
  return {
    say: (said) => say(desk, said),
    act: async (intent, asked) => act(desk, await withoutSecrets(intent), asked),
    route: (said) => routed(desk, said),
    list: async () => (await lookAt(desk)).all(),
    autopilot: async (input) => (await import('./autopilot.ts')).autopilot(desk, input),
    async *follow(input) {
      const { follow } = await import('./follow.ts');
      yield* follow(desk, input);
    },
    keepOpen: () => keepOpen(desk),
    async refresh(onWrong) {
      rules ??= new (await import('./rules.ts')).LiveRules(desk, fallback);
      return rules.look(onWrong);
    },
  };
}
