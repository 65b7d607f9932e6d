import { DocketError } from '../../errors.ts';
import type { AddInput, AddPlaces } from '../../kinds/add-input.ts';
import { assertPriority, recordFields } from '../../kinds/queue/add-checks.ts';
import { type Attached, makeTaktFolder, saysWorkflow } from '../../kinds/queue/add-files.ts';
import { addedText } from '../../kinds/queue/add-text.ts';
import { taskDirFor, uniqueSlug } from '../../kinds/queue/format/names.ts';
import { newRecord } from '../../kinds/queue/format/record.ts';
import { idsByName, idsOf } from '../../kinds/queue/ids.ts';
import { refused } from '../../kinds/refused.ts';
import { assertNoSecret } from '../../settings/masking.ts';
import { readConfig } from '../../settings/read-config.ts';
import { leastTrust, trustIn } from '../../settings/trust.ts';
import { committedWith, execute } from '../../store/execute.ts';
import type { Store } from '../../store/store.ts';
import type { CommandOf } from '../../task/command.ts';
import { type Link, linkText } from '../../task/link.ts';
import type { Spec, Task, Text } from '../../task/schema.ts';
import { packetWorkflow } from '../../workflows/packet-workflow.ts';

/** A longer body goes into the blob store: a journal line has to stay small. */
const longestInline = 32 * 1024;

export async function addTask(
  store: Store,
  wanted: AddInput,
  made: { id: string; now: string },
  places: AddPlaces,
): Promise<Task> {
  const input = withPacket(wanted);
  const { name, branch, base, key: given } = input;
  await assertNoSecret(places, { '--name': name, '--branch': branch, '--base': base, '--key': given });
  assertPriority(input.priority ?? 0);
  const key = input.key === undefined ? undefined : addKey(input.key);
  const before = key === undefined ? undefined : await committedWith(store, key);
  if (before) return before;
  const { text, title, issue, origin, from, ...found } = await addedText(input, places);
  const config = await readConfig(places.root, places.env);
  const own = origin.source === 'person' ? undefined : trustIn(origin, config);
  const trust = leastTrust(from?.trust, own);
  const slug = uniqueSlug(found.slug, made.id);
  const more = recordFields(input, slug, issue);
  const needs = input.needs?.length ? await idsOf(store, input.needs) : [];
  if (input.name !== undefined) await assertFree(store, input.name);
  if (namesSomething(input))
    await (await import('../../kinds/queue/add-checks.ts')).assertKnownNames(input, places);
  const freeKey = () => freeTargets(store, input, issue, from?.standsFor, places);
  const first = await freeKey();
  const taskDir = taskDirFor(slug, made.now);
  const isNewer = saysWorkflow(config, places);
  // The versions of takt that say workflow want one in every record.
  const workflow = input.workflow ?? (isNewer ? (config.workflow ?? 'quick') : undefined);
  const words = isNewer ? 'newer' : undefined;
  makeTaktFolder(places.root);
  const attached = await attachAll(input, taskDir, places);
  const create: CommandOf<'create'> = {
    type: 'create',
    id: made.id,
    by: input.asker ?? 'cli',
    title,
    spec: {
      body: await bodyOf(store, text + (attached?.text ?? '')),
      ...specOf(input, workflow, from?.acceptance),
    },
    ...(input.priority && { priority: input.priority }),
    ...(needs.length > 0 && { needs }),
    ...(trust && { trust: { ...trust, ...(input.asker !== undefined && { author: input.asker }) } }),
    ...(from && { standsFor: from.standsFor }),
    extras: { queue: newRecord({ name: input.name ?? slug, taskDir, more, words }) },
  };
  try {
    for (let used = key ?? first; ; used = await freeKey()) {
      const { digest } = input;
      const options = { now: made.now, ...(used !== undefined && { key: used }), ...(digest && { digest }) };
      const executed = await execute(store, create, options);
      if (!executed.ok) throw refused(executed.refusal);
      // The key of a target that somebody used meanwhile: theirs is another task, and may be over already.
      if (executed.task.id !== made.id && key === undefined) continue;
      return from ? await taken(store, executed.task, places) : executed.task;
    }
  } catch (error) {
    if (isRefused(error)) attached?.undo();
    throw error;
  }
}

/** As it stands in the journal: other commands have keys of their own. */
export function addKey(key: string): string {
  return `add:${key}`;
}

async function taken(store: Store, task: Task, places: AddPlaces): Promise<Task> {
  return (await import('../../kinds/bridges/add-from.ts')).takenFrom(store, task, places);
}

function namesSomething({ agent, base, workflow, startStep }: AddInput): boolean {
  return [agent, base, workflow, startStep].some((name) => name !== undefined);
}

/** A key for the commit of a task whose issue, branch or origin nobody else works on; else an error. */
async function freeTargets(
  store: Store,
  input: AddInput,
  issue: number | undefined,
  from: Link | undefined,
  places: AddPlaces,
) {
  if (from) await (await import('../../kinds/bridges/add-from.ts')).assertFirst(store, from, places);
  const isAgain = input.again || (issue === undefined && input.branch === undefined);
  if (isAgain && !from) return undefined;
  const { assertFreeTargets } = await import('../../kinds/queue/add-checks.ts');
  return assertFreeTargets(store, [
    ...(from ? [['from', linkText(from)] as const] : []),
    ...(isAgain || issue === undefined ? [] : [['issue', issue] as const]),
    ...(isAgain || input.branch === undefined ? [] : [['branch', input.branch] as const]),
  ]);
}

/** Whether there is certainly no task. After any other error it may have been committed, and its files must stay. */
export function isRefused(error: unknown): boolean {
  return error instanceof DocketError && error.exitCode >= 2 && error.exitCode <= 4;
}

/** Before the task is there: as soon as it is, somebody may start it. */
async function attachAll(
  { attach: files = [] }: AddInput,
  taskDir: string,
  { root }: AddPlaces,
): Promise<Attached | undefined> {
  if (files.length === 0) return undefined;
  const { attach } = await import('../../kinds/queue/add-files.ts');
  return attach(root, taskDir, files);
}

function specOf(
  { worktree, agent, budget }: AddInput,
  workflow: string | undefined,
  acceptance: Spec['acceptance'],
): Omit<Spec, 'body'> {
  return {
    workspace:
      worktree === undefined
        ? { kind: 'inplace' }
        : { kind: 'clone', ...(worktree !== true && { path: worktree }) },
    ...(workflow !== undefined && { workflow }),
    ...(agent !== undefined && { routing: { agent } }),
    ...(budget && { budget }),
    ...(acceptance && { acceptance }),
  };
}

async function bodyOf(store: Store, text: string): Promise<Text> {
  const bytes = Buffer.from(text);
  if (bytes.length <= longestInline) return text;
  return { blob: await store.blobs.put(bytes), bytes: bytes.length };
}

async function assertFree(store: Store, name: string): Promise<void> {
  if (!(await idsByName(store)).has(name)) return;
  throw new DocketError('REFUSED', `there is a task named "${name}" already`, 'choose another --name', {
    name,
  });
}

/** What a new task says that a packet is to do. Its stages have agents of their own. */
function withPacket<T extends AddInput>(input: T): T {
  const { packet } = input;
  if (packet === undefined) return input;
  const other = (['workflow', 'startStep', 'agent'] as const).find((key) => input[key] !== undefined);
  if (other === undefined) return { ...input, workflow: packetWorkflow(packet) };
  const option = other === 'startStep' ? '--start-step' : `--${other}`;
  throw new DocketError('INVALID', `--packet and ${option} contradict each other`, 'give one of them', {
    packet,
  });
}
