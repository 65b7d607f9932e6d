import { DocketError } from '../../errors.ts';
import type { TaskDirectories } from '../../kinds/directory/api.ts';
import type { GateInfo } from '../../kinds/gates.ts';
import type { QueueTasks } from '../../kinds/queue/api.ts';
import { missingReason } from '../../render/asked.ts';
import { visibleText } from '../../render/visible-text.ts';
import { assertPerson } from '../marked.ts';
import type { Where } from '../one-store.ts';
import type { AgentAnswer, AnsweredQuestion } from './api.ts';

/** The kinds of tasks whose questions have a name. */
export interface QuestionSources {
  queue: () => Promise<QueueTasks>;
  tasks: () => Promise<TaskDirectories>;
}

/** Passes on what a person said to an agent that is no agent of docket's own. `name`: who passes it on. */
export async function answerFor(
  { env }: Pick<Where, 'env'>,
  { queue, tasks }: QuestionSources,
  name: string,
  { id, gate: named, decision, note, choice }: AgentAnswer,
): Promise<AnsweredQuestion> {
  assertPerson(env, 'answer a question: people decide that', { id });
  const queued = await (await queue()).gates(id);
  const gates = queued ?? (await gatesIn(await tasks(), id));
  const meant = openQuestion(gates, id, named);
  const said = { decision, ...(note !== undefined && { note }), ...(choice !== undefined && { choice }) };
  const missing = missingReason(said, meant);
  if (missing !== undefined)
    throw new DocketError('INVALID', missing, 'ask the person, and pass on what they say as note', { id });
  const answer = { ...said, by: name, times: meant.times };
  const { gate } = meant;
  const task = queued
    ? await (await queue()).answer(id, gate, answer)
    : (await (await tasks()).answer(id, gate, answer)).task;
  if (!task) throw new Error(`${id} is gone while it was answered`);
  return { kind: queued ? 'queue' : 'task', id, gate, decision, status: task.status };
}

async function gatesIn(tasks: TaskDirectories, id: string): Promise<GateInfo[]> {
  try {
    return await tasks.gates(id);
  } catch (error) {
    if (!(error instanceof DocketError) || error.code !== 'NOT_FOUND') throw error;
    throw new DocketError(
      'NOT_FOUND',
      `there is no task "${id}" in the queue or in .agentmesh/tasks`,
      `docket_list shows the tasks; a person answers a question of the board: docket say 'unblock ${id}: ANSWER'`,
      { id },
    );
  }
}

function openQuestion(gates: readonly GateInfo[], id: string, named: string | undefined): GateInfo {
  const open = gates.filter(({ gate, state }) => state === 'blocked' && (named ?? gate) === gate);
  const [only, ...others] = open;
  if (only && others.length === 0) return only;
  const names = open.map(({ gate }) => visibleText(gate)).join(', ');
  throw only
    ? new DocketError('INVALID', `${open.length} questions of ${id} are open`, `name the gate: ${names}`, {
        id,
      })
    : new DocketError(
        'NOT_FOUND',
        `${id} has no open question${named === undefined ? '' : ` ${named}`}`,
        `docket_show ${id} has its questions`,
        { id },
      );
}
