import { DocketError } from '../../errors.ts';
import type { OpenProject } from '../../kinds/act.ts';
import { missingReason } from '../../render/asked.ts';
import type { GateInfo } from '../../render/gates.ts';
import { visibleText } from '../../render/visible-text.ts';
import { assertPerson } from '../../settings/caller.ts';
import { answerGate, gatesIn } from '../tasks/act.ts';
import type { AgentAnswer, AnsweredQuestion } from './api.ts';

/** Passes on what a person said to an agent that is no agent of docket's own. `name`: who passes it on. */
export async function answerFor(
  project: OpenProject,
  name: string,
  { id, gate: named, decision, note, choice }: AgentAnswer,
): Promise<AnsweredQuestion> {
  assertPerson(project.env, 'answer a question: people decide that', { id });
  const meant = openQuestion(await gatesIn(project, id), id, named);
  const said = { decision, ...(note !== undefined && { note }), ...(choice !== undefined && { choice }) };
  const missing = missingReason(said, meant);
  if (missing !== undefined)
    throw new DocketError('INVALID', missing, 'ask the person, and pass on what they say as note', { id });
  const { gate, times } = meant;
  const { kind, task } = await answerGate(project, id, gate, { ...said, by: name, times });
  return { kind, id, gate, decision, status: task.status };
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
