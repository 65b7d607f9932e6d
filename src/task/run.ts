/**
 * One execution of a workflow for a task: the steps as they were ordered, what became of each, and the gates at which a
 * person has to act. Steps of later rounds join those of earlier ones, so an id means one thing for the task's life.
 */
import { z } from 'zod';
import { idPattern, isBuiltIn } from './id.ts';
import { endSchema, markSchema } from './trail-schema.ts';
import { usedSchema } from './used-schema.ts';

const time = z.iso.datetime({ offset: true });
const json = z.record(z.string(), z.json());
/** Names from models and files that become keys and folders. */
const nameOf = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(idPattern, 'may hold letters, digits, "_" and "-" only')
    .refine((id) => !isBuiltIn(id), 'is a word of JavaScript itself; choose another');
const name = nameOf(128);
/** Made from a step's. */
const gateName = nameOf(140);

const words = z.array(z.string().min(1).max(2000)).max(200).exactOptional();
const subSchema = z.strictObject({
  workflow: z.string().min(1).max(128),
  allow: words,
  deny: words,
  commands: words,
  criteria: words,
  calls: z.int().positive().exactOptional(),
});
export type Sub = z.infer<typeof subSchema>;

export const stepSchema = z.strictObject({
  id: name,
  /**
   * work: an agent does it. plan: an agent says what is to be done next. human: a person has to agree. checks: docket
   * runs commands. fan: docket brings together what the steps that it needs have chosen.
   */
  kind: z.enum(['work', 'plan', 'human', 'checks', 'fan']),
  /** The node of the workflow that this is a pass through. */
  node: name.exactOptional(),
  title: z.string().min(1),
  /** What part it plays, in the words of who ordered it. */
  role: z.string().min(1),
  /** Who does it: the name of an agent, as `docket agents` lists it. */
  agent: z.string().min(1),
  needs: z.array(name),
  /** The layer of the plan that it belongs to. */
  milestone: name.exactOptional(),
  /** Where it works, from the root. */
  cwd: z.string().exactOptional(),
  /** The vendor's conversation that it starts from: a copy of it (fork), or the same one (resume). */
  session: z
    .strictObject({ kind: z.enum(['fork', 'resume']), id: z.string().min(1).max(512) })
    .exactOptional(),
  model: z.string().min(1).exactOptional(),
  seconds: z.number().positive().exactOptional(),
  /** Times that it is tried anew after it failed. */
  retries: z.int().min(0).max(10).exactOptional(),
  outputSchema: z.string().exactOptional(),
  /** A task of its own does it, by this workflow; what that task may do and must prove, where the order says so. */
  sub: subSchema.exactOptional(),
  /** Another tool began it: until docket runs it, its files are that tool's. */
  foreign: z.literal(true).exactOptional(),
});
export type Step = z.infer<typeof stepSchema>;

/** The rule that says where the workflow goes on: its place in the node's list, its words, and how it was found. */
const chose = z.strictObject({
  rule: z.int().nonnegative(),
  text: z.string(),
  by: z.enum(['only', 'when', 'parts', 'checks', 'tag', 'judge', 'default']),
});
export type Chose = z.infer<typeof chose>;

export const stepEnds = ['done', 'failed', 'blocked', 'canceled'] as const;
/** ready: a person has answered or docket has told it to do more, and it may go on. A step that nothing has happened to yet has no state. */
const stepStateSchema = z.strictObject({
  state: z.enum(['running', 'ready', ...stepEnds]),
  since: time,
  /** Why it is blocked, failed or canceled. */
  reason: z.string().exactOptional(),
  /** What the agent handed back last. */
  report: json.exactOptional(),
  /** A person's answer, to go on with; empty when they agreed without a word. */
  answer: z.string().exactOptional(),
  /** What docket says about its work, to go on with: it is not proved. */
  told: z.string().exactOptional(),
  chose: chose.exactOptional(),
});
export type StepState = z.infer<typeof stepStateSchema>;

const gateKinds = ['human-approval', 'milestone-gate', 'auto-check'] as const;
const gateOption = z.strictObject({
  id: z.string(),
  kind: z.enum(['allow', 'deny', 'other']),
  text: z.string(),
});
const gateFacts = {
  kind: z.enum(gateKinds),
  reason: z.string().min(1),
  /** Whose work waits here. */
  step: name.exactOptional(),
  /** Whose finished work is in question, where it is not proved. */
  steps: z.array(name).exactOptional(),
  /** The hash of what people's notes said when it closed: only what is new since then is an answer. */
  notes: z.string().exactOptional(),
  /** What an agent that is waiting in the middle of its turn lets people choose from. */
  options: z.array(gateOption).exactOptional(),
};
const gateSchema = z.strictObject({
  ...gateFacts,
  state: z.enum(['blocked', 'approved', 'rejected']),
  /** How often it has closed: an answer to an earlier time is no answer. */
  times: z.int().positive(),
  blockedAt: time,
  resolvedAt: time.exactOptional(),
  resolvedBy: z.string().exactOptional(),
  note: z.string().exactOptional(),
  /** The option that was chosen. */
  choice: z.string().exactOptional(),
});
export type Gate = z.infer<typeof gateSchema>;

const text = z.union([z.string(), z.strictObject({ blob: z.string(), bytes: z.int().nonnegative() })]);
const planner = z.strictObject({ agent: z.string().min(1), rounds: z.int().positive() });

const count = z.int().positive();

export const runSchema = z.strictObject({
  /** How many times steps were ordered. */
  n: z.int().positive(),
  goal: z.string(),
  startedAt: time,
  steps: z.array(stepSchema),
  /** Where the steps of each round begin among them (the latest: `rounds.at(-1)`). */
  rounds: z.array(z.int().nonnegative()),
  /** The prompts of each round's steps, as JSON by step id. */
  orders: z.array(text),
  states: z.record(z.string(), stepStateSchema),
  gates: z.record(z.string(), gateSchema),
  /** An agent that plans round after round. */
  planner: planner.exactOptional(),
  /** What comes after a step that failed does not begin, and may go on later. */
  stopsAtFailure: z.literal(true).exactOptional(),
  /** A graph that says which step follows, as JSON. It is the one that the run began with. */
  workflow: text.exactOptional(),
  /** When results were last brought together; absent as soon as there is something newer. */
  joinedAt: time.exactOptional(),
  /** Since it began. */
  used: usedSchema.exactOptional(),
  /** The last ends of its steps that could be a loop's; absent again when somebody has looked, and when it is over. */
  trail: z.array(endSchema).exactOptional(),
  /** How often a step was told that its work is not proved, since somebody has looked. */
  returns: z.strictObject({ failed: count.exactOptional(), untrue: count.exactOptional() }).exactOptional(),
});
export type Run = z.infer<typeof runSchema>;

/** The data of the events about a run. */
export const runData = {
  started: {
    n: z.int().positive(),
    goal: z.string(),
    steps: z.array(stepSchema),
    orders: text,
    planner: planner.exactOptional(),
    stopsAtFailure: z.literal(true).exactOptional(),
    workflow: text.exactOptional(),
    /** These steps and no others from now on; what is known about one of the same id stays. */
    replaces: z.literal(true).exactOptional(),
  },
  stepEnded: {
    step: name,
    state: z.enum(stepEnds),
    reason: z.string().exactOptional(),
    chose: chose.exactOptional(),
    mark: markSchema.exactOptional(),
    /** Of a step that no agent handed one back for. */
    report: json.exactOptional(),
  },
  stepReopened: {
    step: name,
    reason: z.string(),
    /** What its agent is told when it goes on, by a person or by docket. Absent: it begins as if it never had. */
    answer: z.string().exactOptional(),
    told: z.string().exactOptional(),
    /** Its work was not proved: a command failed, or its report is not true. */
    unproved: z.enum(['failed', 'untrue']).exactOptional(),
  },
  joined: {},
  gateOpened: { gate: gateName, ...gateFacts, when: time.exactOptional() },
  gateAnswered: {
    gate: gateName,
    decision: z.enum(['approved', 'rejected']),
    note: z.string().exactOptional(),
    choice: z.string().exactOptional(),
  },
};
