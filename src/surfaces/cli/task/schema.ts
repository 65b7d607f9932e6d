import * as v from 'valibot';
import type { StepResult } from '../../../kinds/directory/api.ts';
import { directorySchema } from '../../../project/schemas.ts';
import { progress, withStream } from '../agent/answer.ts';
import * as json from '../frame/json.ts';
import type { StepView } from './fields.ts';

/** Others may write keys of their own into a task.yaml, and they are told, too. */
export const openAnswer = (fields: json.Fields) => v.looseObject(json.answer(fields).entries);
const openRefusal = (beside: json.Fields) => v.looseObject(json.refusal(beside).entries);

const { id: _id, ...file } = directorySchema.entries;

const step = json.like<StepView>()(
  v.strictObject({
    step: json.id,
    kind: json.text,
    title: json.text,
    agent: json.text,
    state: json.text,
    said: json.described(json.text, 'What was said about it last.'),
    needs: json.texts,
    milestone: json.maybe(json.text),
  }),
);

/** What is said of every task directory: what its task.yaml says. */
const about = { id: json.id, status: json.status, dir: json.described(json.text, 'From the root.'), ...file };
const joined = json.maybe(json.text, 'The file with all results together, from the root.');

export const directory = {
  about,
  joined: { ...about, joined },
  shown: { ...about, steps: v.array(step), goal: json.maybe(json.text), joined },
};

const result = json.like<StepResult>()(
  v.strictObject({
    step: json.text,
    agent: json.text,
    state: json.text,
    summary: json.text,
    seconds: json.maybe(v.number()),
  }),
);
const ran = {
  ...directory.joined,
  steps: v.array(result),
  interrupted: json.flag,
  warnings: json.maybe(v.array(v.string())),
};
export const openOne = (
  about: string,
  schema: v.GenericSchema,
  refused: v.GenericSchema = json.refusal(),
): json.Answer => ({ about, schema: v.union([schema, refused]) });
export const runAnswer = (about: string) =>
  json.stream(
    `${about} It fails, with the task beside the error, when it is not done; error.data.exitCode has the exit code.`,
    withStream,
    [...progress, openAnswer(ran), openRefusal(ran)],
  );
const decided = { gate: json.text, decision: v.picklist(['approved', 'rejected']) };
export const decisionAnswer = (about: string): json.Answer => ({
  about,
  schema: v.union([
    json.answer({ kind: json.layout, id: json.id, status: json.status, name: json.name, ...decided }),
    json.refusal(),
  ]),
});
