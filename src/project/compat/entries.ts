import type { Flag, Spec } from './flags.ts';

const text = (name: string, initial?: string): Flag => ({ name, ...(initial !== undefined && { initial }) });
const needed = (...names: string[]): Flag[] => names.map((name) => ({ name, needed: true }));
const whole = (name: string, initial: string): Flag => ({ name, type: 'integer', initial });
const choice = (name: string, oneOf: readonly string[], initial: string): Flag => ({ name, oneOf, initial });
const alone = (name: string, sets = name, to = 'true'): Flag => ({ name, type: { sets, to } });

const dryRun = alone('dry-run');
const chat: readonly Flag[] = [text('group-id', ''), text('account-id', 'orchestrator')];
const sending = choice('mode', ['send', 'dry-run'], 'send');
const milestones = choice('milestones', ['send', 'dry-run', 'off'], 'send');
const visibility = choice(
  'visibility-mode',
  ['milestone_only', 'handoff_visible', 'full_visible'],
  'milestone_only',
);
const worker: readonly Flag[] = [
  text('session-id', ''),
  whole('timeout-sec', '120'),
  text('spawn-cmd', ''),
  text('spawn-output', ''),
];
const spawning: readonly Flag[] = [alone('spawn', 'spawn', 'true'), alone('no-spawn', 'spawn', 'false')];
const actor = text('actor', 'orchestrator');
const asking: readonly Flag[] = [...needed('root', 'task-id', 'role', 'question'), sending, ...chat, actor];

/** One of the two, with `exclusive: 'run'`. */
const applying: readonly Flag[] = [alone('apply', 'run', 'apply'), alone('dry-run', 'run', 'dry-run')];

/** What each of the original's scripts takes; those with commands of their own have one entry for each. */
export const entries: Readonly<Record<string, Spec>> = {
  'orchestrator-router': {
    flags: [
      ...needed('text'),
      text('root', ''),
      actor,
      choice('mode', ['route', 'apply'], 'apply'),
      milestones,
      ...chat,
      alone('allow-broadcaster'),
      visibility,
    ],
  },
  'feishu-inbound-router': {
    flags: [...needed('root'), text('text', ''), text('actor', ''), ...chat, milestones],
  },
  'dispatch-task dispatch': {
    flags: [
      ...needed('root', 'task-id', 'agent'),
      text('task', ''),
      sending,
      ...chat,
      actor,
      text('session-id', ''),
      whole('timeout-sec', '120'),
    ],
  },
  'dispatch-task clarify': {
    flags: [...asking, whole('cooldown-sec', '180'), alone('force')],
  },
  'init-task-board': { flags: [...needed('root'), dryRun] },
  'claim-task': {
    flags: [...needed('root', 'task-id', 'agent'), dryRun],
  },
  'update-task': {
    flags: [...needed('root', 'task-id', 'from', 'to'), actor, dryRun],
  },
  'synthesize-board': {
    flags: [...needed('root'), text('task-id', ''), actor],
  },
  'rebuild-snapshot': {
    flags: [...needed('root'), text('input', ''), text('output', ''), text('compact-jsonl', ''), ...applying],
    exclusive: 'run',
  },
  'recover-stale-locks': {
    flags: [...needed('root'), whole('ttl-seconds', '30'), whole('grace-seconds', '15'), ...applying],
    exclusive: 'run',
  },
  'task_board init': { flags: needed('root') },
  'task_board route': { flags: needed('actor', 'text') },
  'task_board apply': {
    flags: needed('root', 'actor', 'text'),
  },
  'task_board transition': { flags: needed('from', 'to') },
  'milestones publish-apply': {
    flags: [
      ...needed('root', 'actor', 'apply-json'),
      ...chat,
      choice('mode', ['send', 'dry-run', 'off'], 'send'),
      alone('allow-broadcaster'),
    ],
  },
  'milestones dispatch': {
    flags: [
      ...needed('root', 'task-id', 'agent'),
      text('task', ''),
      actor,
      ...chat,
      sending,
      ...worker,
      ...spawning,
      visibility,
    ],
  },
  'milestones autopilot': {
    flags: [
      ...needed('root'),
      actor,
      ...chat,
      sending,
      ...worker,
      ...spawning,
      whole('max-steps', '3'),
      visibility,
    ],
  },
  'milestones clarify': {
    flags: [...asking, whole('cooldown-sec', '300'), text('state-file', ''), alone('force')],
  },
  'milestones feishu-router': {
    flags: [
      ...needed('root', 'actor', 'text'),
      ...chat,
      choice('mode', ['send', 'dry-run', 'off'], 'send'),
      ...worker,
      alone('dispatch-spawn'),
      alone('dispatch-manual'),
      visibility,
      whole('autopilot-max-steps', '3'),
      whole('clarify-cooldown-sec', '300'),
      text('clarify-state-file', ''),
    ],
  },
};

/** The original's scripts; some of them are called with the name of a command behind theirs. */
export const scripts: readonly string[] = [
  ...new Set(Object.keys(entries).map((name) => name.split(' ', 1)[0] ?? name)),
];
