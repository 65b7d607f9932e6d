import { applyTogether } from '../../store/execute.ts';
import type { Command } from '../../task/command.ts';
import type { Event } from '../../task/schema.ts';
import type { Applied, Sheet } from './apply.ts';
import { withOwn } from './format/extras.ts';
import { nextTaskId } from './format/ids.ts';
import type { Intent } from './format/intent.ts';
import { plannedTasks } from './format/project.ts';
import { refusedBy } from './refusals.ts';

type ProjectIntent = Extract<Intent, { intent: 'create_project' | 'start_project' }>;

/** A project is its tasks, each meant for somebody: all of them are made, or none. */
export function projectTasks(
  sheet: Sheet,
  name: string,
  items: readonly string[],
  by: { actor: string; intent: ProjectIntent; projectId?: string },
): { ids: string[]; events: readonly Event[] } | Applied {
  const { ledger, commit, now, key, trust } = sheet;
  const taken = new Set(ledger.ids());
  const { projectId } = by;
  const commands = plannedTasks(name, items).map(({ title, assigneeHint }): Command => {
    const id = nextTaskId(taken);
    taken.add(id);
    const extras = withOwn({}, { assigneeHint, ...(projectId !== undefined && { projectId }) });
    return {
      type: 'create',
      id,
      by: by.actor,
      title,
      spec: { body: title },
      extras,
      ...(trust && { trust }),
    };
  });
  const done = applyTogether(ledger, commands, now, commit, { key });
  if (!done.ok) return refusedBy(done, by.intent);
  return { ids: commands.map(({ id }) => id), events: done.events };
}

export function projectCreated(
  sheet: Sheet,
  intent: Extract<Intent, { intent: 'create_project' }>,
  actor: string,
): Applied {
  const made = projectTasks(sheet, intent.name, intent.items, { actor, intent });
  if ('outcome' in made) return made;
  const { ids, events } = made;
  return { outcome: { kind: 'project_created', name: intent.name, count: ids.length }, events };
}
