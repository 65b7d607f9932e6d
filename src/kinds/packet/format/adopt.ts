import type { Entry, Parsed } from '../../../layout/layout.ts';
import type { Wrong } from '../../../schema/problem.ts';
import { openAttempts } from '../../../task/allowed.ts';
import type { Command } from '../../../task/command.ts';
import type { Fields } from '../../../task/json.ts';
import type { Task } from '../../../task/schema.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { idFor, packetName } from './name.ts';
import { sayingOf } from './spec.ts';

/** What people do in a file, they do as "file". */
const byFile = 'file';

/** The first thing that is wrong stands for all; `readManifest` has the others. */
export function parse({ text }: Entry): Parsed {
  const read = readManifest(text);
  if ('manifest' in read) return { fields: read.manifest };
  const [first, ...others] = read.wrongs;
  const more = others.length === 0 ? '' : ` (and ${others.length} more: docket packet validate)`;
  return { wrong: { ...(first as Wrong), message: `${first?.message}${more}` } };
}

/** A packet that somebody made becomes a task. */
export function adopt(fields: Fields): { id: string; commands: Command[] } {
  const manifest = fields as Manifest;
  const id = idFor(manifest.task_id);
  return { id, commands: [{ type: 'create', id, by: byFile, ...sayingOf(manifest) }] };
}

/**
 * The manifest is people's: whatever they change in it holds from now on, but a packet stays what it is called. While an
 * agent is at work nobody can tell who changed it, so it says what it said when the agent began.
 */
export function revise(task: Task, fields: Fields, changed: readonly string[]): Command[] | Wrong {
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
    fix: `Put it back to ${packetName(task)}, or make another packet with "docket packet new".`,
    line: 0,
    column: 0,
  };
}
