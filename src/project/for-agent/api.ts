import type { KindName } from '../../task/kind-names.ts';
import type { Trust } from '../../task/schema.ts';
import type { Status } from '../../task/status.ts';

/**
 * What an agent that docket did not start may do here. It acts under a name that a person gave it; nothing of this changes
 * settings, scope, budgets or trust, and only `answer` says yes, in the words of a person.
 */
export interface AgentSide {
  /** The words that start this docket from anywhere, for who sets up a client. */
  launchWords(): Promise<string[]>;
  /** Reads only, over all layouts. */
  list(query: AgentQuery): Promise<AgentList>;
  show(ref: string, of?: KindName): Promise<AgentTask>;
  create(input: AgentWork): Promise<MadeTask>;
  claim(id: string): Promise<Advised<BoardAnswer>>;
  report(input: AgentReport): Promise<Advised<BoardAnswer>>;
  /** Nobody waits for the answer: it is in `show` when a person has given it. */
  ask(input: AgentQuestion): Promise<Advised<BoardAnswer>>;
  /** Passes on a person's answer; a surface offers it only where a person asked for that. */
  answer(input: AgentAnswer): Promise<Advised<AnsweredQuestion>>;
}

/** An answer, and what to do after it. */
type Advised<T> = T & { next: string };

export interface AgentQuery {
  kind?: KindName | undefined;
  /** Absent: what is not over. */
  status?: readonly Status[] | undefined;
}

export interface AgentList {
  tasks: TaskRow[];
  /** Of every status, whatever was asked for. */
  counts: Partial<Record<Status, number>>;
  /** What cannot be read. */
  problems: string[];
}

export interface TaskRow {
  kind: KindName;
  id: string;
  /** What people call it, where that is not its id. */
  name?: string;
  title: string;
  status: Status;
  owner?: string;
  /** Why it waits, or what came of it. */
  why: string;
  updatedAt: string;
}

export interface AgentTask extends TaskRow {
  createdBy: string;
  /** Whose words it is made of; absent: of the people of this project. */
  trust?: Trust;
  text: string;
  needs: readonly string[];
  /** Who must act, where somebody must. */
  who?: string;
  /** Until when a claim holds. */
  until?: string;
  /** For a person: an agent does not say yes for one. */
  next: { command: string; does: string }[];
  /** What an agent has asked about it, and what a person has said. */
  questions: Question[];
  /** Oldest first. */
  timeline: { at: string; by: string; text: string }[];
  evidence: { at: string; what: string; ok: boolean | null }[];
}

export interface Question {
  question: string;
  by: string;
  at: string;
  answer?: { text: string; by: string; at: string };
  /** Its name, where a task can have several, and the answers to choose from. */
  gate?: string;
  choices?: { id: string; text: string }[];
}

interface Keyed {
  /** The same key again does nothing a second time. */
  key?: string | undefined;
}

export interface AgentWork extends Keyed {
  where: 'queue' | 'board';
  text: string;
  needs?: readonly string[] | undefined;
  /** In a clone of its own; otherwise in the people's work tree. */
  worktree?: boolean | undefined;
}

export interface MadeTask {
  kind: KindName;
  id: string;
  title: string;
  status: Status;
  trust: Trust['level'];
  /** The key was used before: this is the task that was made then. */
  existing: boolean;
  /** What becomes of it. */
  note: string;
}

export interface AgentReport extends Keyed {
  id: string;
  outcome: 'progress' | 'done' | 'blocked';
  text: string;
  signal: AbortSignal;
}

export interface AgentQuestion extends Keyed {
  question: string;
  /** A task that the agent holds; absent: the question becomes a task of its own. */
  id?: string | undefined;
}

export interface AgentAnswer {
  id: string;
  /** Absent: the only open one. */
  gate?: string | undefined;
  decision: 'approved' | 'rejected';
  choice?: string | undefined;
  note?: string | undefined;
}

export interface AnsweredQuestion {
  kind: KindName;
  id: string;
  gate: string;
  decision: 'approved' | 'rejected';
  status: Status;
}

/** What became of a task of the board. */
export interface BoardAnswer {
  id: string;
  /** As the board says it. */
  status: string;
  owner: string | null;
  /** One to three lines. */
  reply: string;
  /** It was so already. */
  already: boolean;
  until?: string;
  /** Of a report that work is done: whether it counts, and what is missing. */
  accepted?: boolean;
  missing?: string;
}
