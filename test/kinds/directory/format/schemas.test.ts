import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { actionsSchema } from '../../../../src/kinds/directory/format/actions-schema.ts';
import { workerOutputSchema } from '../../../../src/kinds/directory/format/file-schemas.ts';
import { agentmeshJsonSchemas } from '../../../../src/kinds/directory/format/json-schemas.ts';
import { taskSchema } from '../../../../src/kinds/directory/format/task-file.ts';
import type { Schema } from '../../../../src/schema/schemas.ts';
import { actions, problemsIn, subtask } from './actions-support.ts';

const published = (name: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(new URL(`../../../../schemas/${name}.schema.json`, import.meta.url), 'utf8'),
  ) as never;

const formats = { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/ };
const validator = (name: string): ValidateFunction =>
  new Ajv({ allErrors: true, allowUnionTypes: true, formats }).compile(published(name));

/** The documents of which one of the two does not say what it should. */
function misjudged(name: string, schema: Schema, documents: [boolean, unknown][]): unknown[] {
  const validate = validator(name);
  return documents
    .filter(([good, document]) => validate(document) !== good || v.is(schema, document) !== good)
    .map(([, document]) => JSON.stringify(document).slice(0, 200));
}

describe('the published schemas', () => {
  it.each(Object.entries(agentmeshJsonSchemas()))(
    '%s is as it is checked (npm run schemas)',
    (name, schema) => {
      const file = published(name.replace('.schema.json', ''));
      expect(file).toEqual(JSON.parse(JSON.stringify(schema)));
      expect(file['$schema']).toBe('http://json-schema.org/draft-07/schema#');
      expect(new Ajv({ formats, allowUnionTypes: true }).compile(file)).toBeTypeOf('function');
    },
  );
});

describe('Actions output validates against schema', () => {
  const validate = validator('orchestrator-actions');

  it('has the words of the format', () => {
    const { required, additionalProperties, properties } = published('orchestrator-actions') as never as Root;
    expect({ required, additionalProperties }).toEqual({
      required: ['sessionGoal', 'tasks'],
      additionalProperties: false,
    });
    expect(properties['sessionGoal']).toMatchObject({ minLength: 1, maxLength: 4000 });
    const { items, minItems } = properties['tasks'] as { items: Root; minItems: number };
    expect({ minItems, required: items.required, more: items.additionalProperties }).toEqual({
      minItems: 1,
      required: ['taskId', 'title', 'agent', 'adapter', 'prompt'],
      more: false,
    });
    expect(items.properties['prompt']).toMatchObject({ minLength: 1, maxLength: 40_000 });
    expect(items.properties['title']).toMatchObject({ minLength: 1, maxLength: 200 });
    expect(items.properties['taskId']).toMatchObject({ pattern: '^[A-Za-z0-9_-]+$' });
    expect(items.properties['adapter']).toMatchObject({
      anyOf: [{ enum: ['codex-exec', 'codex-app-server'] }, {}],
    });
    expect(items.properties['mode']).toMatchObject({ enum: ['spawn', 'fork'] });
  });

  it('of what is good and bad both say the same', () => {
    const wrong = misjudged('orchestrator-actions', actionsSchema, [
      [true, actions(subtask('a'))],
      [
        true,
        actions(subtask('a'), subtask('b', { needs: ['a'], retries: 0, timeoutSeconds: 1, model: 'o4' })),
      ],
      [true, actions(subtask('a', { mode: 'fork', forkedFromThreadId: 'x', adapter: 'my.agent' }))],
      [true, actions(subtask('a', { prompt: '👍'.repeat(40_000) }))],
      [false, actions(subtask('a', { prompt: 'x'.repeat(40_001) }))],
      [false, actions(subtask('a', { prompt: '' }))],
      [false, actions()],
      [false, { tasks: [subtask('a')] }],
      [false, { sessionGoal: 'x' }],
      [false, { ...actions(subtask('a')), sessionGoal: 'x'.repeat(4001) }],
      [false, { ...actions(subtask('a')), more: 1 }],
      [false, actions(subtask('../x'))],
      [false, actions(subtask('a', { agentInstance: 'a b' }))],
      [false, actions(subtask('a', { title: 'x'.repeat(201) }))],
      [false, actions(subtask('a', { adapter: '../codex' }))],
      [false, actions(subtask('a', { mode: 'join' }))],
      [false, actions(subtask('a', { unknown: true }))],
      [false, actions(subtask('a', { retries: 1.5 }))],
      [false, actions(subtask('a', { timeoutSeconds: 86_401 }))],
      [false, actions(subtask('a', { needs: 'a' }))],
      [false, actions(subtask('a', { cwd: null }))],
    ]);
    expect(wrong).toEqual([]);
  });

  it('a fork without a parent is refused by both, by whatever tells of it', () => {
    const fork = actions(subtask('a', { mode: 'fork' }));
    expect([validate(fork), problemsIn(fork).length]).toEqual([false, 1]);
    const spawn = actions(subtask('a', { mode: 'spawn' }));
    expect([validate(spawn), problemsIn(spawn).length]).toEqual([true, 0]);
  });

  it('what a schema cannot say, docket does', () => {
    const documents = [
      actions(subtask('a'), subtask('A')),
      actions(subtask('a', { cwd: '../x' })),
      actions(subtask('a', { adapter: 'nobody' })),
      actions(subtask('a', { needs: ['a'] })),
      actions(subtask('constructor')),
    ];
    expect(documents.map((document) => [validate(document), problemsIn(document).length])).toEqual(
      documents.map(() => [true, 1]),
    );
  });
});

describe('task.yaml', () => {
  const task = { id: 'task-1', title: 'x', topology: 'swarm', state: 'created' };
  const milestone = { id: 'm', title: 'm', state: 'pending' };
  const gate = { id: 'g', type: 'milestone-gate', state: 'open' };
  const member = { instance: 'a', agent: 'b', state: 'active' };

  it('is what both say it is', () => {
    const wrong = misjudged('task', taskSchema, [
      [true, task],
      [
        true,
        { ...task, mine: 1, milestones: [milestone], roster: [member], gates: [gate], config: { mine: 1 } },
      ],
      [true, { ...task, createdAt: '2026-01-20T10:00:00.123456789Z', config: { maxConcurrentAgents: 10 } }],
      [true, { ...task, gates: [{ ...gate, blockedAt: null, resolvedBy: null, instructionsRef: null }] }],
      [true, { ...task, roster: [{ ...member, assignedMilestone: null, skills: [] }], config: {} }],
      ...Object.keys(task).map((key): [boolean, unknown] => [false, { ...task, [key]: undefined }]),
      [false, { ...task, title: '' }],
      [false, { ...task, title: 'x'.repeat(201) }],
      [false, { ...task, id: 'a/b' }],
      [false, { ...task, state: 'gate.blocked' }],
      [false, { ...task, state: 'cancelled' }],
      [false, { ...task, topology: 'ring' }],
      [false, { ...task, createdAt: 'yesterday' }],
      [false, { ...task, milestones: [{ ...milestone, state: 'in_progress' }] }],
      [false, { ...task, milestones: [{ id: 'm', title: 'm' }] }],
      [false, { ...task, roster: [{ ...member, state: 'created' }] }],
      [false, { ...task, gates: [{ ...gate, type: 'custom' }] }],
      [false, { ...task, gates: [{ id: 'g', type: 'auto-check' }] }],
      [false, { ...task, config: { maxConcurrentAgents: 0 } }],
      [false, { ...task, config: { maxConcurrentAgents: 11 } }],
      [false, { ...task, config: { timeoutSeconds: 59 } }],
    ]);
    expect(wrong).toEqual([]);
  });

  it('asks for no more than the format does', () => {
    const { required, properties } = published('task') as never as Root;
    expect(required).toEqual(['id', 'title', 'topology', 'state']);
    const items = (name: string) => (properties[name] as { items: Root }).items.required;
    expect(items('milestones')).toEqual(['id', 'title', 'state']);
    expect(items('roster')).toEqual(['instance', 'agent', 'state']);
    expect(items('gates')).toEqual(['id', 'type', 'state']);
    expect(JSON.stringify(published('task'))).not.toContain('"additionalProperties":false');
    expect(JSON.stringify(published('task'))).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });
});

describe('final.json', () => {
  it('is what both say it is', () => {
    const lists = { questions: ['a'], nextActions: [], errors: ['b'] };
    const wrong = misjudged('worker-output', workerOutputSchema, [
      [true, { status: 'success', summary: 'x' }],
      [true, { status: 'blocked', summary: 'x', ...lists, artifacts: { branch: 'b', mine: { a: 1 } } }],
      [false, { status: 'done', summary: 'x' }],
      [false, { status: 'failed' }],
      [false, { status: 'failed', summary: '' }],
      [false, { status: 'failed', summary: 'x'.repeat(2001) }],
      [false, { status: 'failed', summary: 'x', risks: [] }],
      [false, { status: 'failed', summary: 'x', questions: [1] }],
      [false, { status: 'failed', summary: 'x', artifacts: { touchedFiles: 'a' } }],
    ]);
    expect(wrong).toEqual([]);
    const { required, additionalProperties } = published('worker-output') as never as Root;
    expect({ required, additionalProperties }).toEqual({
      required: ['status', 'summary'],
      additionalProperties: false,
    });
  });
});

interface Root {
  required: string[];
  additionalProperties: unknown;
  properties: Record<string, unknown>;
}
