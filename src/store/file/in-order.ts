import type { Command } from '../../task/command.ts';

/**
 * Entries of one file may need each other in any order, and a task can only need what is there: whoever is needed is
 * made first. Those that need each other in a circle stay as they come; the core refuses them, with the circle.
 */
export function inOrder<T extends { commands: readonly Command[] }>(edits: readonly T[]): T[] {
  const makers = new Map<string, T>();
  for (const edit of edits)
    for (const command of edit.commands) if (command.type === 'create') makers.set(command.id, edit);
  const seen = new Set<T>();
  const placed = new Set<T>();
  const open = edits.toReversed();
  for (let edit = open.pop(); edit !== undefined; edit = open.pop()) {
    if (seen.has(edit)) {
      placed.add(edit);
      continue;
    }
    seen.add(edit);
    const first = needsOf(edit).flatMap((id) => makers.get(id) ?? []);
    open.push(edit, ...first.filter((other) => !seen.has(other)));
  }
  return [...placed];
}

function needsOf({ commands }: { commands: readonly Command[] }): readonly string[] {
  return commands.flatMap((command) => {
    if (command.type === 'create') return command.needs ?? [];
    return command.type === 'edit' ? (command.set.needs ?? []) : [];
  });
}
