import { type AddInput, type Docket, openDocket } from '../../src/project/docket.ts';
import type { TaskView } from '../../src/render/board/outcome.ts';
import type { Task } from '../../src/task/schema.ts';
import { QueueProject } from './queue-project.ts';

const never = new AbortController().signal;

/** A queue and a board in one repository. Each call is a docket of its own. */
export class BridgeProject extends QueueProject {
  readonly warnings: string[] = [];

  async use<T>(what: (docket: Docket) => Promise<T>, env: Record<string, string> = {}): Promise<T> {
    const warn = (warning: string) => void this.warnings.push(warning);
    const docket = await openDocket({ cwd: this.root, root: this.root, env: { ...this.env, ...env }, warn });
    try {
      return await what(docket);
    } finally {
      await docket.close();
    }
  }

  /** By a person, unless somebody else is named. */
  async say(text: string, as = 'orchestrator', more: object = {}): Promise<string> {
    const sender = { actor: as, isBot: false };
    return this.use(async (docket) => {
      const { reply } = await (
        await docket.board()
      ).say({ text, sender, locale: 'en', signal: never, ...more });
      return reply;
    });
  }

  async board(id = 'T-001'): Promise<TaskView> {
    const all = await this.use(async (docket) => (await docket.board()).list());
    const found = all.find(({ taskId }) => taskId === id);
    if (!found) throw new Error(`there is no ${id}`);
    return found;
  }

  add(input: Partial<AddInput> = {}, env: Record<string, string> = {}): Promise<Task> {
    return this.use((docket) => docket.add({ text: '', from: 'T-001', ...input }), env);
  }

  run(): Promise<unknown> {
    return this.use((docket) => docket.run({ signal: never }));
  }

  act(act: 'cancel' | 'retry' | 'requeue', id: string): Promise<unknown> {
    return this.use((docket) => docket.act(act, [id], { by: 'ann' }));
  }

  /** Types of the board's lines, with who holds the task then. */
  lines(): string[] {
    const log = this.read('state/tasks.jsonl').trimEnd().split('\n');
    return log
      .map((line) => JSON.parse(line) as { type: string; payload: { to?: string } })
      .filter(({ type }) => type !== 'task_edited')
      .map(({ type, payload }) => (payload.to === undefined ? type : `${type} ${payload.to}`));
  }
}
