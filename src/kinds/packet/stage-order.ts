import path from 'node:path';
import type { Agent } from '../../adapters/agent.ts';
import { attemptFolder } from '../../engine/attempt-logs.ts';
import { Held } from '../../engine/blocking-errors.ts';
import type { Contract } from '../../engine/contract.ts';
import type { StepOrder } from '../../engine/run-workflow.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { reportFrom } from '../../report/parse.ts';
import { agentNamed, onModel } from '../../settings/agents.ts';
import { openAttempt } from '../../task/allowed.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { Snapshot, WorkTree } from '../../workspace/snapshot.ts';
import { treesFor } from './copies.ts';
import { forgetNote, readNote, type Sent } from './files.ts';
import { withUncalled } from './format/own.ts';
import type { StageSettings } from './format/resolve.ts';
import { parseStage } from './format/stages.ts';
import { digestFor } from './inputs.ts';
import { heldToScope } from './stage-gate.ts';
import { budgetReached, stageJudge } from './stage-judge.ts';
import { type PacketRun, prompted } from './stage-prompt.ts';
import { putBackLeft } from './trusted.ts';

/** A stage's order: its prompt, its agent, and the judge of what comes of it. */
export async function stageOrder(step: Step, task: Task, packet: PacketRun): Promise<StepOrder> {
  const { place, manifest } = packet;
  const settings = packet.settings.stages.find(({ stage }) => stage === step.id) as StageSettings;
  const open = openAttempt(task, step.id);
  const spent = open ? undefined : budgetReached(task, manifest);
  if (spent) throw new Held(spent);
  const policy = digestFor(settings, manifest);
  const { source, copy, before, now } = await treesFor(packet, step.id, task);
  const tree = copy ?? source;
  const sent =
    ((open && readNote(place, `sent/${step.id}`)) as Sent | undefined) ??
    (await prompted(settings, task, packet, policy, now));
  return {
    agent: await staffed(settings, packet, copy),
    cwd: tree.root,
    prompt: sent.prompt,
    folder: (n) => attemptFolder(makeOwnFolder(place.raw, 'attempts'), step.id, n),
    contract: plainText,
    uncalled: ({ extras }) => [{ type: 'edit', set: { extras: withUncalled(extras) } }],
    redact: (text) => packet.redactor.redact(text),
    judge: stageJudge({ settings, packet, tree, before, policy, sent }),
    stopped: () => leftBehind(settings, packet, tree, before),
  };
}

/** An agent that was ended leaves nothing out of scope behind, and what people do before it goes on is not taken for its work. */
async function leftBehind(
  settings: StageSettings,
  packet: PacketRun,
  tree: WorkTree,
  before: Snapshot | undefined,
): Promise<void> {
  const { place, manifest, redactor, cwd, where } = packet;
  await putBackLeft(packet, settings.stage);
  if (before) {
    const { conflict } = await heldToScope({ settings, manifest, tree, before, place, redactor, home: cwd });
    if (conflict) where.warn(conflict.reason.text);
  }
  forgetNote(place, `snapshots/work-${settings.stage}`); // the next try is measured from where it begins
}

async function staffed(
  settings: StageSettings,
  { where, config }: PacketRun,
  copy: WorkTree | undefined,
): Promise<Agent> {
  const { tool, model, effort, approvalMode, sandbox, timeoutMode, timeoutMs } = settings;
  const found = await agentNamed(tool, config, where);
  const writes = parseStage(settings.stage)?.writes === 'tree';
  const limited = timeoutMode === 'enforce' && timeoutMs > 0;
  const { name, program } = found.adapter;
  // Another vendor's CLI plays the tool: the tool's models mean nothing to it.
  const isOther = program !== undefined && name !== tool;
  const agent = isOther ? found : onModel(found, model, config);
  return {
    ...agent,
    ...(copy && apart(agent, copy)),
    approvals: false,
    permission: writes ? 'edit' : 'read',
    limits: { ...agent.limits, ...(limited && { wallMs: timeoutMs }) },
    ...(effort !== undefined && { effort }),
    ...(approvalMode !== undefined && { approvalMode }),
    ...(sandbox !== undefined && { ownSandbox: sandbox }),
  };
}

/** Without its own repository git must not take people's for it; their history can be read. */
function apart({ env, confinement }: Agent, { root, copyOf: from }: WorkTree): Partial<Agent> {
  const paths = [...(confinement?.paths ?? []), ...(from?.objects ?? [])];
  return {
    env: { ...env, GIT_CEILING_DIRECTORIES: path.dirname(root) },
    ...(confinement && { confinement: { ...confinement, paths } }),
  };
}

/** A stage answers in words; whether they are the right ones its gate says. */
const plainText: Contract = {
  read(turn) {
    const text = turn.text ?? '';
    const summary = text.trim().split('\n', 1)[0]?.slice(0, 200) || 'it said nothing';
    const report = reportFrom({ status: 'success', summary });
    return 'report' in report ? { ...report, value: text } : report;
  },
  repair: (problem) => problem,
};
