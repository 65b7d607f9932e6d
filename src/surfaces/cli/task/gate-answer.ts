import * as v from 'valibot';
import type { TaskGate } from '../../../render/gates.ts';
import * as json from '../frame/json.ts';

/** A question of a task, and what was answered. */
export const gate = json.like<TaskGate>()(
  v.strictObject({
    kind: v.picklist(['human-approval', 'milestone-gate', 'auto-check']),
    reason: json.text,
    step: json.maybe(json.text),
    steps: json.maybe(json.texts),
    notes: json.maybe(json.text),
    options: json.maybe(
      v.array(
        v.strictObject({ id: json.text, kind: v.picklist(['allow', 'deny', 'other']), text: json.text }),
      ),
    ),
    state: v.picklist(['blocked', 'approved', 'rejected']),
    times: json.count,
    blockedAt: json.time,
    resolvedAt: json.maybe(json.time),
    resolvedBy: json.maybe(json.text),
    note: json.maybe(json.text),
    choice: json.maybe(json.text),
    taskKind: json.layout,
    task: json.id,
    name: json.name,
    gate: json.text,
    title: json.text,
    questions: json.maybe(v.array(json.text), 'All that is asked.'),
    summary: json.maybe(json.text, 'What the agent says about it.'),
  }),
);
