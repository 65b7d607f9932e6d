import { DocketError } from '../../errors.ts';
import { command, type Fix, fix } from '../../errors/command.ts';
import { verifyCommandsOf } from '../../gate/policy.ts';
import { iso } from '../../io/clock.ts';
import { realFolder } from '../../io/links.ts';
import { fenced } from '../../render/fence.ts';
import type { Project } from '../../settings/project.ts';
import type { Link } from '../../task/link.ts';
import { unmetNeeds } from '../../task/needs.ts';
import type { Spec, Task, Trust } from '../../task/schema.ts';
import { deskAt } from '../board/desk.ts';
import { agentFor } from '../board/dispatch.ts';
import { memoryOf, ownOf } from '../board/format/extras.ts';
import { wholeId } from '../board/format/ids.ts';
import type { AcceptancePolicy } from '../board/format/policy-file.ts';
import { folderOf } from '../board/projects.ts';
import { holder, isFree, lostBecause } from './board-move.ts';
import { readBoard } from './board-task.ts';

/** A task of the board as the queue takes it. */
export interface FromBoard {
  text: string;
  standsFor: Link;
  /** Whose words these are; absent: the person's in charge. */
  trust?: Trust;
  acceptance: NonNullable<Spec['acceptance']>;
}

/** Reads only. Refuses what the board would not give away. */
export async function fromBoard(where: Project, ref: string): Promise<FromBoard> {
  const board = await readBoard(where);
  const id = wholeId(ref.replace(/^board:/, ''), (one) => board?.get(one) !== undefined);
  const task = board?.get(id);
  if (!board || !task || task.removedAt !== undefined) throw notThere(id, board !== undefined);
  if (!isFree(task, iso(where.clock))) throw notFree(task);
  const [need] = unmetNeeds(board, task);
  if (need)
    throw new DocketError(
      'REFUSED',
      `${id} waits for ${need.on}, which is not done`,
      `add ${need.on} first`,
      {
        id,
        needs: need.on,
      },
    );
  const desk = deskAt(where);
  const folder = folderOf(where.root, id);
  if (realFolder(folder) !== realFolder(where.root))
    throw new DocketError('REFUSED', `${id} is work on the project in ${folder}`, `queue it there, by hand`, {
      id,
    });
  const role = agentFor(task, desk.protocol.agents);
  const acceptance = acceptanceOf(desk.policy, role);
  return {
    text: textOf(task, role, acceptance),
    standsFor: { layout: 'board', id },
    ...(task.trust && { trust: task.trust }),
    acceptance,
  };
}

/** What the board will ask for when the work is handed in, said beforehand. */
function acceptanceOf(policy: AcceptancePolicy, role: string): FromBoard['acceptance'] {
  const { requireAny = [], requiredEvidence = [] } = policy.roles[role] ?? {};
  return {
    commands: verifyCommandsOf(policy, role).map((command) => ['sh', '-c', command]),
    criteria: [
      ...(policy.global.requireEvidence
        ? ['the report points to evidence: a file, a command and how it ended, a log or an address']
        : []),
      ...(requiredEvidence.length > 0 ? [`evidence of each kind: ${requiredEvidence.join(', ')}`] : []),
      ...(requireAny.length > 0 ? [`the report says one of: ${requireAny.join(', ')}`] : []),
    ],
  };
}

function textOf(task: Task, role: string, { commands, criteria }: FromBoard['acceptance']): string {
  const { id, title, spec } = task;
  const body = typeof spec.body === 'string' && spec.body.trim() !== title.trim() ? spec.body.trim() : '';
  const { review, blockedReason, result } = memoryOf(task);
  const { projectId } = ownOf(task);
  // Anybody who ever held it wrote these, an agent too, and the task is trusted as its author is.
  const before = [
    ...(review === undefined ? [] : [`Its last review: ${review}`]),
    ...(blockedReason === undefined ? [] : [`It was blocked before: ${blockedReason}`]),
    ...(result === undefined ? [] : [`An earlier result: ${result}`]),
  ];
  const wanted = [...criteria, ...commands.map(([, , line]) => `this ends with 0: ${line}`)];
  return [
    title,
    ...(body === '' ? [] : ['', body]),
    '',
    `Task ${id} of the board, meant for ${role}${projectId === undefined ? '' : `, project ${projectId}`}.`,
    ...(before.length === 0 ? [] : ['', fenced(before.join('\n'), `those who had ${id} before`)]),
    ...(wanted.length === 0 ? [] : ['', 'What counts as done there:', ...wanted.map((line) => `- ${line}`)]),
  ].join('\n');
}

function notThere(id: string, hasBoard: boolean): DocketError {
  return new DocketError(
    'NOT_FOUND',
    hasBoard ? `there is no task ${id} on the board` : `there is no board here, and so no task ${id}`,
    fix`${command`board status`} shows what is there; a packet is run with ${command`packet run`}, a task directory with ${command`task run`}`,
    { id },
  );
}

function notFree(task: Task): DocketError {
  const { id, status, doneBy } = task;
  const first = doneBy?.layout === 'queue' && task.owner === holder ? doneBy.id : undefined;
  if (first !== undefined)
    return new DocketError(
      'REFUSED',
      `${id} is in the queue already: task ${first}`,
      fix`see it with ${command`show ${first}`}`,
      { id: first, board: id },
    );
  const fixes: Partial<Record<Task['status'], Fix>> = {
    done: fix`${command`say "reopen task ${id}"`} if it is to be done again`,
    canceled: fix`${command`say "reopen task ${id}"`} if it is to be done after all`,
    blocked: fix`${command`say "unblock task ${id}"`} when that is seen to`,
    review: fix`${command`say "approve ${id}"`}, or request changes`,
  };
  const wait = fix`wait for them, or talk to them: ${command`board status`} shows who has what`;
  return new DocketError('REFUSED', lostBecause(task), fixes[status] ?? wait, { board: id });
}
