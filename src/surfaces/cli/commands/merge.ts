import * as v from 'valibot';
import { someNames } from '../../../errors/some-names.ts';
import type { MergedTask } from '../../../kinds/queue/finished.ts';
import { last, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { nameOf } from '../frame/name.ts';
import { showOnly } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';

const merged = json.like<Omit<MergedTask, 'task'>>()(
  v.strictObject({
    ...json.short,
    into: json.described(json.text, 'The branch.'),
    state: v.picklist(['merged', 'already', 'fits', 'conflict', 'rejected', 'refused']),
    commit: json.maybe(json.text),
    files: json.maybe(json.texts, 'In conflict.'),
    reason: json.maybe(json.text),
    evidence: json.maybe(json.text),
    together: json.maybe(json.texts, 'Ids of tasks with which alone it fails.'),
    edits: json.maybe(
      json.texts,
      'Files with edits by hand in its workspace: committed and tested with it; a dry run only names them.',
    ),
  }),
);
const mergedTasks = { tasks: v.array(merged) };

export const command: Definition = {
  operand: { kind: 'text', names: 'queue', label: '[task…]', min: 0, max: Infinity },
  options: [
    { name: 'queue', summary: 'All that is finished, in that order' },
    {
      name: 'into',
      summary: 'The branch (default: the one it was made from)',
      value: { kind: 'text', label: 'BRANCH' },
    },
    { name: 'squash', summary: 'One commit each, without its history' },
    showOnly,
  ],
  notes: [
    'What docket diff shows lands: edits by hand in a workspace are committed first.',
    'Each is tested with the acceptance commands on top of those before it. What',
    'conflicts or fails is blocked, with evidence; the rest lands. Where the branch',
    'is checked out, a merge that would overwrite an uncommitted file is refused.',
    'Exit code: 0 merged, 5 a person must act, 4 refused.',
  ],
  examples: ['docket merge fix-login', 'docket merge --queue --into main', 'docket merge --queue --dry-run'],
  answer: json.one('What became of each task; it fails when not all of it was merged.', mergedTasks, {
    beside: mergedTasks,
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, out, world } = context;
  const all = args.options.has('queue');
  if (all === args.operands.length > 0)
    throw usage('docket merge needs tasks, or --queue for all that is finished', 'give one of them', 'merge');
  const into = last(args, 'into');
  const stop = new AbortController();
  const deaf = world.onStop(() => {
    out.alarm('stopping: what has landed stays, the rest is as it was');
    stop.abort('shutdown');
  });
  try {
    const merged = await withDocket(context, async (docket) =>
      (await docket.finished()).merge({
        ...(all ? {} : { tasks: args.operands }),
        ...(into !== undefined && { into }),
        squash: args.options.has('squash'),
        dryRun: args.options.has('dry-run'),
        signal: stop.signal,
        onProgress: (text) => out.talk(visible(text)),
      }),
    );
    return tell(merged, context);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    if (context.globals.json) out.refuse(interrupted);
    return 130;
  } finally {
    deaf();
  }
}

const interrupted = {
  code: 'RUN',
  message: 'interrupted; what has landed stays, the rest is as it was',
  fix: 'see what is merged: docket list',
  data: { exitCode: 130 },
};

function tell(merged: readonly MergedTask[], { out, globals }: Context): number {
  const code = exitCodeOf(merged);
  if (globals.json) {
    const tasks = merged.map(({ task, ...rest }) => ({
      id: task.id,
      status: task.status,
      name: nameOf(task),
      ...rest,
    }));
    const left = merged.filter(({ state }) => unmerged.has(state));
    const error = {
      code: code === 5 ? 'NEEDS_PERSON' : 'REFUSED',
      message: `not all of it was merged: ${left.map(({ task, state }) => `${nameOf(task)} (${state})`).join(', ')}`,
      fix: `see why: docket explain ${left[0]?.task.id ?? ''}`,
      data: { exitCode: code },
    };
    if (code === 0) out.answer({ tasks });
    else out.refuse(error, { tasks });
    return code;
  }
  if (merged.length === 0) out.talk('Nothing is finished and not merged. See all: docket list');
  for (const row of rowsOf(merged)) out.data(visible(row));
  if (code === 5)
    out.talk(
      'Let the agent resolve it: docket retry <task>. Or resolve it on its branch, then: docket merge <task>.',
    );
  return code;
}

const unmerged: ReadonlySet<MergedTask['state']> = new Set(['conflict', 'rejected', 'refused']);

/** What refuses many of them for one reason says it once. */
function rowsOf(merged: readonly MergedTask[]): string[] {
  const isLike = (one: MergedTask) => (other: MergedTask) =>
    other.state === 'refused' && one.state === 'refused' && other.reason === one.reason;
  return merged.flatMap((one, at) => {
    const same = merged.filter(isLike(one));
    if (same.length < 2) return [rowOf(one)];
    if (merged.findIndex(isLike(one)) !== at) return [];
    const names = same.map(({ task }) => nameOf(task)).join(', ');
    return [`refused  ${same.length} tasks (${names})  ${one.reason}`];
  });
}

function rowOf({ task, into, state, commit, reason, edits = [] }: MergedTask): string {
  const name = nameOf(task);
  const edited = someNames(edits, 5);
  switch (state) {
    case 'merged':
      return `merged  ${name}  into ${into} (${commit?.slice(0, 10)})${edited === '' ? '' : `, with the edits in its workspace: ${edited}`}`;
    case 'already':
      return `already  ${name}  is in ${into}`;
    case 'fits':
      if (edited !== '')
        return `fits  ${name}  no conflict with ${into}, not counting the edits in its workspace, which a merge commits and tests: ${edited}; nothing was tested or changed`;
      return `fits  ${name}  no conflict with ${into}; nothing was tested or changed`;
    case 'conflict':
    case 'rejected':
    case 'refused':
      return `${state}  ${name}  ${reason}`;
  }
}

function exitCodeOf(merged: readonly MergedTask[]): number {
  if (merged.some(({ state }) => state === 'conflict' || state === 'rejected')) return 5;
  return merged.some(({ state }) => state === 'refused') ? 4 : 0;
}
