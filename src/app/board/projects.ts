import type { Intent } from '../../layout/board/intent.ts';
import { plannedTasks } from '../../layout/board/project.ts';
import type { Route } from '../../layout/board/route/route.ts';
import { applyTo, type Applied, type Sheet } from './apply.ts';

/** A project is its tasks, each meant for somebody. */
export function projectCreated(
  sheet: Sheet,
  { name, items }: Extract<Intent, { intent: 'create_project' }>,
  found: Route,
): Applied {
  const planned = plannedTasks(name, items);
  const made = planned.map(({ title, assigneeHint }) =>
    applyTo(sheet, { intent: 'create_task', title }, { ...found, overrideAgent: assigneeHint }),
  );
  const refused = made.find(({ outcome }) => outcome.kind === 'refused');
  const events = made.flatMap((one) => one.events);
  if (refused) return { ...refused, events };
  return { outcome: { kind: 'project_created', name, count: planned.length }, events };
}
