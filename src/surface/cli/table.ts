import type { Definition, Row } from './command.ts';

export type { Operand, Option } from './command.ts';

/** A command whose grammar stands apart from what it does. */
export type Command = Row &
  Omit<Definition, 'run'> & { readonly load: () => Promise<Pick<Definition, 'run'>> };

async function tabled(table: Promise<readonly Command[]>, name: string): Promise<{ command: Definition }> {
  const row = (await table).find((one) => one.name === name);
  if (!row) throw new Error(`no command ${name}`);
  const { name: _name, group: _group, summary: _summary, load, ...grammar } = row;
  return { command: { ...grammar, run: async (context) => (await load()).run(context) } };
}

export const adding = (name: string) => () =>
  tabled(
    import('./tables/add.ts').then((all) => [all.addCommand]),
    name,
  );
export const queue = (name: string) => () =>
  tabled(
    import('./tables/queue.ts').then((all) => all.queueCommands),
    name,
  );
export const view = (name: string) => () =>
  tabled(
    import('./tables/view.ts').then((all) => all.viewCommands),
    name,
  );
export const steering = (name: string) => () =>
  tabled(
    import('./tables/queue-tasks.ts').then((all) => all.queueTaskCommands),
    name,
  );
export const gate = (name: string) => () =>
  tabled(
    import('./tables/gate.ts').then((all) => all.gateCommands),
    name,
  );
export const git = (name: string) => () =>
  tabled(
    import('./tables/queue-git.ts').then((all) => all.queueGitCommands),
    name,
  );
