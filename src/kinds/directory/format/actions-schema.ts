import * as v from 'valibot';
import { described, exactKeys, hints, list, maybe, whole, type Schema } from '../../../schema/schemas.ts';
import {
  actionFields,
  builtInAdapters,
  maxTasks,
  modes,
  packetFields,
  subtaskFields,
} from './action-fields.ts';
import { inside, name, upTo } from './schema-parts.ts';

/** What a field is for is also what to do where it is wrong. */
const meant = <S extends Schema>(schema: S, fix: string): S =>
  described(v.pipe(schema, hints({ fix })) as unknown as S, fix);
const of =
  <N extends string>(meanings: Readonly<Record<N, string>>) =>
  <S extends Schema>(field: N, schema: S) =>
    meant(schema, meanings[field]);
const [ofActions, ofPacket, ofSubtask] = [of(actionFields), of(packetFields), of(subtaskFields)];

const adapter = v.union([
  v.picklist(builtInAdapters),
  v.pipe(v.string(), v.regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/)),
]);

/** They end up on a command line: a session or a model is never an option, and never two words. */
const session = v.pipe(
  v.string(),
  v.check((id) => id === '' || /^[\w:@+][\w.:@+=-]{0,511}$/.test(id), 'is not the id of a session'),
);
const model = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.maxLength(200),
  v.regex(/^(?!.*\.\.)[\w@][\w.:/@+=,[\]-]*$/),
);

const intent = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/));
const paths = list(inside, 200);
const lines = list(upTo(2000), 200);
const packet = v.union([
  intent,
  exactKeys({
    intent: ofPacket('intent', intent),
    allow: maybe(ofPacket('allow', paths)),
    deny: maybe(ofPacket('deny', paths)),
    commands: maybe(ofPacket('commands', lines)),
    criteria: maybe(ofPacket('criteria', lines)),
    calls: maybe(ofPacket('calls', whole(1, 1000))),
  }),
]);

/** The format's own fields, then what docket adds and plain actions do without. */
const subtaskSchema = v.pipe(
  exactKeys({
    taskId: ofSubtask('taskId', name),
    agentInstance: maybe(ofSubtask('agentInstance', name)),
    title: ofSubtask('title', upTo(200)),
    agent: ofSubtask('agent', name),
    adapter: ofSubtask('adapter', adapter),
    mode: maybe(ofSubtask('mode', v.picklist(modes))),
    forkedFromThreadId: maybe(ofSubtask('forkedFromThreadId', session)),
    cwd: maybe(ofSubtask('cwd', inside)),
    prompt: ofSubtask('prompt', upTo(40_000)),
    outputSchemaPath: maybe(ofSubtask('outputSchemaPath', inside)),
    needs: maybe(ofSubtask('needs', list(name, maxTasks))),
    timeoutSeconds: maybe(ofSubtask('timeoutSeconds', whole(1, 86_400))),
    model: maybe(ofSubtask('model', model)),
    retries: maybe(ofSubtask('retries', whole(0, 10))),
    milestone: maybe(ofSubtask('milestone', name)),
    packet: maybe(ofPacket('packet', packet)),
  }),
  hints({ fix: 'write {"taskId", "title", "agent", "adapter", "prompt"}' }),
  v.metadata({
    if: { properties: { mode: { const: 'fork' } }, required: ['mode'] },
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON schema
    then: { required: ['forkedFromThreadId'] },
  }),
);
export type Subtask = v.InferOutput<typeof subtaskSchema>;

export const actionsSchema = v.pipe(
  exactKeys({
    sessionGoal: ofActions('sessionGoal', upTo(4000)),
    tasks: ofActions('tasks', v.pipe(v.array(subtaskSchema), v.nonEmpty())),
  }),
  hints({
    fix: 'write {"sessionGoal": "…", "tasks": [{"taskId", "title", "agent", "adapter", "prompt"}, …]}',
  }),
);
export type Actions = v.InferOutput<typeof actionsSchema>;
