import type { AgentProcess, Exit } from '../io/process/process.ts';
import type { KnownTools } from './tool-use.ts';

/** What an agent may do to the work tree and the machine. Docket never grants more than was asked for. */
export type Permission = 'read' | 'edit' | 'full';

/**
 * How a level is held: by the operating system, by the tools that the CLI offers its model, or not at all. What is
 * not held is refused before the start, unless an outer sandbox holds it.
 */
export type Hold = 'system' | 'tools' | 'none';

export interface Capabilities {
  resume: boolean;
  fork: boolean;
  /** The session's id is ours to choose, so it is in the journal before the agent starts. */
  choosesId: boolean;
  /** A session may go on in another folder than it began in. */
  movesFolder: boolean;
  /** The answer comes back in the shape of a JSON schema by the vendor's own means. */
  structured: boolean;
  /** Tokens are counted per turn, or over the whole session (then we subtract), or not told. */
  usage: 'turn' | 'session' | 'none';
  /** It can ask for permission while it works, and wait for the answer. */
  approvals: boolean;
  /** It says when a tool begins, so that a long silent tool is not taken for a stall. */
  toolStarts: boolean;
  /** Its output alone tells the whole story, so a run that outlived docket can be read afterwards. */
  replays: boolean;
  permissions: Readonly<Record<Permission, Hold>>;
  /** It says itself what a turn cost. */
  costs?: true;
  /** A plain program: what it prints is its report, and nobody asks it for another form. */
  plainReports?: true;
}

export type SessionWish =
  | { kind: 'new'; id?: string }
  | { kind: 'resume'; id: string }
  | { kind: 'fork'; id: string; newId?: string };

/** One turn of one agent. */
export interface AgentRequest {
  prompt: string;
  /** The work tree: absolute. */
  cwd: string;
  permission: Permission;
  /** The vendor's own guards may go: an outer sandbox holds the permission. */
  sandboxed: boolean;
  session: SessionWish;
  /** What the vendor had counted for this session when the turn began; absent: nobody knows. */
  usedBefore?: Usage;
  model?: string;
  /** How hard it should think, in the vendor's own word; where there is none for it, nothing. */
  effort?: string;
  /** How freely it works without asking, in the vendor's own word. It never gets more than the permission. */
  approvalMode?: string;
  /** In the vendor's own sandbox, where it has one that can be asked for. */
  ownSandbox?: boolean;
  /** A person answers what the agent asks while it works; else what it may not do is refused. */
  approvals?: boolean;
  /** The JSON schema that the answer should have, in the strict form that vendors accept. */
  schema?: Readonly<Record<string, unknown>>;
  /** This attempt's own folder: absolute, it exists, and nobody else writes there. */
  dir: string;
  /** A vendor home of this worker's own instead of the user's. */
  home?: string;
  /** The program and its leading arguments, where the user named them; else the vendor's usual name. */
  command?: readonly string[];
  /** docket's own environment: where homes are looked up. The child gets only what is allowed. */
  env: Readonly<Record<string, string | undefined>>;
  /** Which work this is, for agents that want to know. */
  about: { taskId: string; step: string; attempt: number };
}

/** Tokens. `input` counts all of them, `cached` is the part of it that came from a cache. */
export interface Usage {
  input: number;
  cached: number;
  output: number;
  /** US dollars, where the vendor says so itself. */
  cost?: number;
}

/** What the agent wants to be allowed or told. */
export interface Question {
  id: string;
  text: string;
  /** What it wants to do: `edit`, `command`, or a tool's name. */
  about: string;
  options: readonly { id: string; kind: 'allow' | 'deny' | 'other'; text: string }[];
}

export const errorClasses = [
  'transient',
  'limit',
  'auth',
  'prompt-too-large',
  'refused',
  'tooling',
  'timeout',
  'stall',
  'crashed',
  'unknown',
] as const;
export type ErrorClass = (typeof errorClasses)[number];

export interface AgentError {
  class: ErrorClass;
  message: string;
  status?: number;
  /** When a limit ends, if somebody said so. */
  resetAt?: string;
  /** The session itself is the problem (unknown, too long): the next attempt needs a new one. */
  newSession?: true;
}

/** What every vendor's stream becomes. `end` comes once, last, and always. */
export type AgentEvent =
  | { type: 'session'; id: string }
  | { type: 'text'; text: string }
  | { type: 'tool'; phase: 'start'; id: string; name: string; input?: string }
  | { type: 'tool'; phase: 'end'; id: string; name: string; ok: boolean; output?: string }
  | { type: 'file'; path: string; change: 'add' | 'update' | 'delete' }
  /** `turn`: used since the last such event of this turn. `session`: the vendor's count so far, to subtract later. */
  | { type: 'usage'; turn?: Usage; session?: Usage }
  | { type: 'limit'; message: string; resetAt?: string }
  | { type: 'question'; question: Question; answer: string }
  | { type: 'denied'; text: string }
  | { type: 'warning'; text: string }
  | End;

export type End = {
  type: 'end';
  exit: Exit;
  /** The last message, whole. */
  text?: string;
  /** The answer to a schema, as the vendor handed it over: not checked yet. */
  structured?: unknown;
  error?: AgentError;
};

/** What to start. The engine adds the allowed environment, the mark and a private temp folder. */
export interface Launch {
  argv: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The prompt, or 'open' for a conversation over stdin. */
  stdin: { text: string } | 'open';
}

/** What the engine lends an adapter. */
export interface Host {
  /** Starts the process, or hands over the one that was started before docket died. */
  start(launch: Launch): Promise<AgentProcess>;
  /** The id of the chosen option. With nobody there to ask, the answer is no. */
  ask(question: Question): Promise<string>;
  now(): number;
}

export type Login = 'yes' | 'no' | 'unknown';

/** One vendor, one folder, one function: a request becomes a stream of typed events. */
export interface Adapter {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** The name of the program on PATH; none for what needs `command` in the settings. */
  readonly program?: string;
  /** Variables of the user's environment that this vendor needs (`OPENAI_*`), beside the common ones. */
  readonly passEnv: readonly string[];
  /** Folders and files (as seen from `env` and `home`) that stay writable inside an outer sandbox. */
  writable(where: Where): readonly string[];
  /** By looking at files and variables only, never inside them; no call is spent. */
  login(where: Where): Login;
  run(request: AgentRequest, host: Host): AsyncIterable<AgentEvent>;
  /** Whom a task that nobody vouches for may talk to: what an answer takes; no updates, no telemetry, no web. */
  readonly hosts?: readonly string[];
  /** In the vendor's own folders: what later runs obey. Such a task may read it, and not change it. */
  readonly settings?: readonly string[];
  /** Gives a home of a worker's own the user's settings, without which it might not find its model. */
  linkSettings?(where: Required<Where>): void;
  /** Variables that are its login, though most programs use them for more. */
  readonly loginEnv?: readonly string[];
  /** Absent: it does not tell every call of a tool, or nobody knows its tools. */
  readonly tools?: KnownTools;
  /** Reads the JSON lines of a run that is over, by the same readers; absent: its output is plain text. */
  readLog?(session: string): Promise<(value: Record<string, unknown>) => Iterable<AgentEvent>>;
}

export interface Where {
  env: Readonly<Record<string, string | undefined>>;
  home?: string;
}
