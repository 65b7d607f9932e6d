import { command, fix } from '../../../errors/command.ts';
import type { Entry, MirrorLayout, Parsed } from '../../../layout/layout.ts';
import { join, onlyRef, split } from '../../../layout/split.ts';
import { clip } from '../../../report/clip.ts';
import type { Wrong } from '../../../schema/problem.ts';
import { pair } from '../../../schema/yaml/block.ts';
import { openAttempts } from '../../../task/allowed.ts';
import type { Command } from '../../../task/command.ts';
import type { Fields } from '../../../task/json.ts';
import type { Spec, Task } from '../../../task/schema.ts';
import { derived } from './derived.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { idFor, manifestFile, packetName } from './name.ts';
import { ownOf } from './own.ts';

/** The title of a packet's task: its goal in one line. */
function titleOf({ goal }: Manifest): string {
  return clip(goal.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(), 200);
}

/**
 * What a manifest asks for, in the words of the core. There a cap is absent or above nought; what stands at nought in
 * the manifest is read from it (`extras.packet.manifest`).
 */
function specOf({ goal, scope, acceptance, budgets }: Manifest): Spec {
  const { paid_call_budget: calls, max_wallclock_sec: wallclock, tokens = 0, cost_usd: money = 0 } = budgets;
  return {
    body: goal,
    scope: { allow: scope.allow, deny: scope.deny },
    acceptance: {
      commands: acceptance.commands.map((command) => ['sh', '-c', command]),
      criteria: acceptance.criteria,
    },
    budget: {
      ...(calls > 0 && { calls }),
      ...(tokens > 0 && { tokens }),
      ...(money > 0 && { money }),
      ...(wallclock > 0 && { seconds: wallclock }),
    },
  };
}

/** What a manifest makes of its task. */
export function sayingOf(manifest: Manifest) {
  return { title: titleOf(manifest), spec: specOf(manifest), extras: { packet: { manifest } } };
}

/** What people do in a file, they do as "file". */
const byFile = 'file';

/** The first thing that is wrong stands for all; `readManifest` has the others. */
function parse({ text }: Entry): Parsed {
  const read = readManifest(text);
  if ('manifest' in read) return { fields: read.manifest };
  const [first, ...others] = read.wrongs;
  const more = others.length === 0 ? '' : fix` (and ${others.length} more: ${command`packet validate`})`.text;
  return { wrong: { ...(first as Wrong), message: `${first?.message}${more}` } };
}

/** A packet that somebody made becomes a task. */
function adopt(fields: Fields): { id: string; commands: Command[] } {
  const manifest = fields as Manifest;
  const id = idFor(manifest.task_id);
  return { id, commands: [{ type: 'create', id, by: byFile, ...sayingOf(manifest) }] };
}

/**
 * The manifest is people's: whatever they change in it holds from now on, but a packet stays what it is called. While an
 * agent is at work nobody can tell who changed it, so it says what it said when the agent began.
 */
function revise(task: Task, fields: Fields, changed: readonly string[]): Command[] | Wrong {
  const [at] = task.status === 'running' ? openAttempts(task) : [];
  if (at) return inTheMiddle(at.step);
  if (changed.includes('task_id')) return otherName(task);
  const set = sayingOf(fields as Manifest);
  return [{ type: 'edit', id: task.id, by: byFile, set }];
}

function inTheMiddle(stage: string): Wrong {
  return {
    message: `the manifest was changed while ${stage} was at work, so it does not count yet`,
    fix: 'Change it when no stage runs.',
    line: 0,
    column: 0,
    passes: true,
  };
}

function otherName(task: Task): Wrong {
  return {
    message: 'the task_id of a packet cannot be changed: its history is kept under it',
    fix: fix`Put it back to ${packetName(task)}, or make another packet with "${command`packet new`}".`.text,
    line: 0,
    column: 0,
  };
}

/**
 * A task packet: one unit of work as a directory. Its manifest is people's: docket reads it and never changes a byte of
 * it. Only one that is gone is written again, from what it said.
 */
export const packetLayout: MirrorLayout = {
  name: 'packet',
  mirror: manifestFile,
  split,
  join,
  parse,
  ref: () => onlyRef,
  describe: (task) => ownOf(task).manifest,
  render: (fields) =>
    Object.entries(fields)
      .flatMap(([key, value]) => pair(key, value, 0))
      .map((line) => `${line}\n`)
      .join(''),
  patch: ({ text }) => text,
  adopt,
  revise,
  companions: () => [],
  derived,
};
