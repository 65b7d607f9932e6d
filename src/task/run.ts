/**
 * One execution of a workflow for a task: the steps as they were ordered, what became of each, and the gates at which a
 * person has to act. Steps of later rounds join those of earlier ones, so an id means one thing for the task's life.
 */
import * as v from 'valibot';
import { idPattern, isBuiltIn } from './id.ts';
import { count, jsonObject, nonEmpty, positive } from './parts.ts';
import { endSchema, markSchema } from './trail-schema.ts';
import { usedSchema } from './used-schema.ts';

const time = v.pipe(v.string(), v.isoTimestamp());
/** Names from models and files that become keys and folders. */
const nameOf = (longest: number) =>
  v.pipe(
    v.string(),
    v.maxLength(longest),
    v.regex(idPattern, 'may hold letters, digits, "_" and "-" only'),
    v.check((id) => !isBuiltIn(id), 'is a word of JavaScript itself; choose another'),
  );
const name = nameOf(128);
/** Made from a step's. */
const gateName = nameOf(140);

const words = v.exactOptional(
  v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(2000))), v.maxLength(200)),
);
const subSchema = v.strictObject({
  workflow: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  allow: words,
  deny: words,
  commands: words,
  criteria: words,
  calls: v.exactOptional(positive),
});
export type Sub = v.InferOutput<typeof subSchema>;

export const stepSchema = v.strictObject({
  id: name,
  /**
   * work: an agent does it. plan: an agent says what is to be done next. human: a person has to agree. checks: docket
   * runs commands. fan: docket brings together what the steps that it needs have chosen.
   */
  kind: v.picklist(['work', 'plan', 'human', 'checks', 'fan']),
  /** The node of the workflow that this is a pass through. */
  node: v.exactOptional(name),
  title: nonEmpty,
  /** What part it plays, in the words of who ordered it. */
  role: nonEmpty,
  /** Who does it: the name of an agent, as `docket agents` lists it. */
  agent: nonEmpty,
  needs: v.array(name),
  /** The layer of the plan that it belongs to. */
  milestone: v.exactOptional(name),
  /** Where it works, from the root. */
  cwd: v.exactOptional(v.string()),
  /** The vendor's conversation that it starts from: a copy of it (fork), or the same one (resume). */
  session: v.exactOptional(
    v.strictObject({
      kind: v.picklist(['fork', 'resume']),
      id: v.pipe(v.string(), v.minLength(1), v.maxLength(512)),
    }),
  ),
  model: v.exactOptional(nonEmpty),
  seconds: v.exactOptional(v.pipe(v.number(), v.gtValue(0))),
  /** Times that it is tried anew after it failed. */
  retries: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10))),
  outputSchema: v.exactOptional(v.string()),
  /** A task of its own does it, by this workflow; what that task may do and must prove, where the order says so. */
  sub: v.exactOptional(subSchema),
  /** Another tool began it: until docket runs it, its files are that tool's. */
  foreign: v.exactOptional(v.literal(true)),
});
export type Step = v.InferOutput<typeof stepSchema>;

/** The rule that says where the workflow goes on: its place in the node's list, its words, and how it was found. */
const chose = v.strictObject({
  rule: count,
  text: v.string(),
  by: v.picklist(['only', 'when', 'parts', 'checks', 'tag', 'judge', 'default']),
});
export type Chose = v.InferOutput<typeof chose>;

export const stepEnds = ['done', 'failed', 'blocked', 'canceled'] as const;
/** ready: a person has answered or docket has told it to do more, and it may go on. A step that nothing has happened to yet has no state. */
const stepStateSchema = v.strictObject({
  state: v.picklist(['running', 'ready', ...stepEnds]),
  since: time,
  /** Why it is blocked, failed or canceled. */
  reason: v.exactOptional(v.string()),
  /** What the agent handed back last. */
  report: v.exactOptional(jsonObject),
  /** A person's answer, to go on with; empty when they agreed without a word. */
  answer: v.exactOptional(v.string()),
  /** What docket says about its work, to go on with: it is not proved. */
  told: v.exactOptional(v.string()),
  chose: v.exactOptional(chose),
});
export type StepState = v.InferOutput<typeof stepStateSchema>;

const gateKinds = ['human-approval', 'milestone-gate', 'auto-check'] as const;
const gateOption = v.strictObject({
  id: v.string(),
  kind: v.picklist(['allow', 'deny', 'other']),
  text: v.string(),
});
const gateFacts = {
  kind: v.picklist(gateKinds),
  reason: nonEmpty,
  /** Whose work waits here. */
  step: v.exactOptional(name),
  /** Whose finished work is in question, where it is not proved. */
  steps: v.exactOptional(v.array(name)),
  /** The hash of what people's notes said when it closed: only what is new since then is an answer. */
  notes: v.exactOptional(v.string()),
  /** What an agent that is waiting in the middle of its turn lets people choose from. */
  options: v.exactOptional(v.array(gateOption)),
};
const gateSchema = v.strictObject({
  ...gateFacts,
  state: v.picklist(['blocked', 'approved', 'rejected']),
  /** How often it has closed: an answer to an earlier time is no answer. */
  times: positive,
  blockedAt: time,
  resolvedAt: v.exactOptional(time),
  resolvedBy: v.exactOptional(v.string()),
  note: v.exactOptional(v.string()),
  /** The option that was chosen. */
  choice: v.exactOptional(v.string()),
});
export type Gate = v.InferOutput<typeof gateSchema>;

const text = v.union([v.string(), v.strictObject({ blob: v.string(), bytes: count })]);
const planner = v.strictObject({
  agent: nonEmpty,
  rounds: positive,
});

export const runSchema = v.strictObject({
  /** How many times steps were ordered. */
  n: positive,
  goal: v.string(),
  startedAt: time,
  steps: v.array(stepSchema),
  /** Where the steps of each round begin among them (the latest: `rounds.at(-1)`). */
  rounds: v.array(count),
  /** The prompts of each round's steps, as JSON by step id. */
  orders: v.array(text),
  states: v.record(v.string(), stepStateSchema),
  gates: v.record(v.string(), gateSchema),
  /** An agent that plans round after round. */
  planner: v.exactOptional(planner),
  /** What comes after a step that failed does not begin, and may go on later. */
  stopsAtFailure: v.exactOptional(v.literal(true)),
  /** A graph that says which step follows, as JSON. It is the one that the run began with. */
  workflow: v.exactOptional(text),
  /** When results were last brought together; absent as soon as there is something newer. */
  joinedAt: v.exactOptional(time),
  /** Since it began. */
  used: v.exactOptional(usedSchema),
  /** The last ends of its steps that could be a loop's; absent again when somebody has looked, and when it is over. */
  trail: v.exactOptional(v.array(endSchema)),
  /** How often a step was told that its work is not proved, since somebody has looked. */
  returns: v.exactOptional(
    v.strictObject({ failed: v.exactOptional(positive), untrue: v.exactOptional(positive) }),
  ),
});
export type Run = v.InferOutput<typeof runSchema>;

/** The data of the events about a run. */
export const runData = {
  started: {
    n: positive,
    goal: v.string(),
    steps: v.array(stepSchema),
    orders: text,
    planner: v.exactOptional(planner),
    stopsAtFailure: v.exactOptional(v.literal(true)),
    workflow: v.exactOptional(text),
    /** These steps and no others from now on; what is known about one of the same id stays. */
    replaces: v.exactOptional(v.literal(true)),
  },
  stepEnded: {
    step: name,
    state: v.picklist(stepEnds),
    reason: v.exactOptional(v.string()),
    chose: v.exactOptional(chose),
    mark: v.exactOptional(markSchema),
    /** Of a step that no agent handed one back for. */
    report: v.exactOptional(jsonObject),
  },
  stepReopened: {
    step: name,
    reason: v.string(),
    /** What its agent is told when it goes on, by a person or by docket. Absent: it begins as if it never had. */
    answer: v.exactOptional(v.string()),
    told: v.exactOptional(v.string()),
    /** Its work was not proved: a command failed, or its report is not true. */
    unproved: v.exactOptional(v.picklist(['failed', 'untrue'])),
  },
  joined: {},
  gateOpened: { gate: gateName, ...gateFacts, when: v.exactOptional(time) },
  gateAnswered: {
    gate: gateName,
    decision: v.picklist(['approved', 'rejected']),
    note: v.exactOptional(v.string()),
    choice: v.exactOptional(v.string()),
  },
};
