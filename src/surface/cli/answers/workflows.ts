import { z } from 'zod';
import type { WorkflowRow, WorkflowView } from '../../../app/workflow/api.ts';
import { answer, one, type Published } from './answer.ts';
import { count, findings, flag, like, text } from './parts.ts';

type Node = WorkflowView['graph']['nodes'][string];
const opt = <S extends z.ZodType>(schema: S) => schema.exactOptional();
const texts = z.array(text);
const permission = z.enum(['read', 'edit', 'full']);

const row = like<WorkflowRow>()(
  z.strictObject({
    name: text,
    layer: text.describe('Where it was found: project, user or builtin.'),
    steps: count,
    description: text,
    file: text,
    callable: flag.describe('It was made to be called by others.'),
    hides: texts.describe('Layers that have one of the same name, which is not used.'),
  }),
);

const check = like<Node['checks'][number]>()(
  z.strictObject({ name: text, command: text, cwd: opt(text), timeoutMs: opt(z.number()) }),
);

const step = z.strictObject({
  id: text,
  name: text,
  kind: z.enum(['work', 'checks', 'fan']),
  role: text,
  agent: text.nullable(),
  model: text.nullable(),
  permission: permission.nullable(),
  floor: permission.nullable().describe('At least this much, whatever the settings give.'),
  session: z.strictObject({ mode: z.enum(['continue', 'fresh']), key: text }),
  reports: texts.describe('Files that it has to hand in.'),
  checks: z.array(check),
  parts: texts.describe('Steps that run at once in it.'),
  rules: z.array(z.strictObject({ condition: text, when: text, leadsTo: text })),
});

const shown = {
  name: text,
  layer: text,
  file: text,
  description: text,
  start: text,
  maxSteps: count.nullable().describe('null: no limit.'),
  steps: z.array(step),
  monitors: z.array(z.strictObject({ cycle: texts, threshold: count, ignore: texts, judge: text })),
};

const facets = z.array(z.strictObject({ name: text, text }));
const prompt = like<Node['prompt']>()(
  z.strictObject({
    persona: opt(text),
    knowledge: facets,
    instruction: text,
    criteria: texts,
    policy: facets,
    passPrevious: flag,
  }),
);
const prompted = {
  name: text,
  file: text,
  step: text,
  prompt,
  reports: z.array(
    like<Node['reports'][number]>()(z.strictObject({ name: text, format: text, judged: flag })),
  ),
  checks: z.array(check),
  tags: texts.describe('What its answer ends with, one of these; empty: its rules need no word of it.'),
};

export const workflows: Readonly<Record<string, Published>> = {
  'workflow list': one('The workflows that are there, one for each name.', {
    workflows: z.array(row),
    findings,
  }),
  'workflow show': one('A workflow with its steps and rules; with --prompt the texts of one step.', shown, {
    or: [answer(prompted)],
  }),
  'workflow check': one('What is wrong with workflows.', { findings }, { beside: { findings } }),
  'workflow new': one('The workflow that was made.', { name: text, file: text }),
  'workflow graph': one('A workflow as a drawing for Mermaid: its text, or the file that it went to.', {
    name: text,
    format: z.enum(['mermaid']),
    text: opt(text),
    file: opt(text),
  }),
};
