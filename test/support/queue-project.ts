import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { findMarked } from '../../src/io/process/family.ts';
import { startNode } from './child.ts';
import { endProcess, until } from './project.ts';
import { mirrorOf } from './scratch.ts';
import { ShellProject } from './shell-project.ts';

/** One line of the diary for each agent that begins: `began NAME`. */
const writesDiary = `echo "began $name" >> "$CUES/diary"\n`;

/** A queue as people write it, an agent of a few lines that keeps a diary, and what became of both. */
export class QueueProject extends ShellProject {
  constructor(script: string, settings: object = {}) {
    super(`${writesDiary}${script}`, settings);
    fs.mkdirSync(path.join(this.root, '.takt'), { recursive: true });
  }

  /** docket that stops itself at the first such call; resolves when it has. */
  async paused(call: string, pattern: string, ...args: string[]): Promise<ChildProcess> {
    const child = startNode('queue-pause.mjs', [call, pattern, ...args], {
      cwd: this.root,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await until(`docket stops ${call} ${pattern}`, () => isStopped(child));
    return child;
  }

  /** As a machine would that loses its processes. */
  endAgentsOf(id: string): void {
    const mine = this.events('attempt.started').filter(({ taskId }) => taskId === id);
    for (const { data } of mine) for (const pid of findMarked(data['mark'] as string)) endProcess(pid);
  }

  /** Writes `.takt/tasks.yaml` anew. */
  records(records: readonly (Partial<RawRecord> & { name: string })[]): void {
    fs.writeFileSync(mirrorOf(this.root), queueText(records));
  }

  yaml(): string {
    return fs.readFileSync(mirrorOf(this.root), 'utf8');
  }

  /** Records as another tool would read them. */
  rawRecords(): RawRecord[] {
    return (parse(this.yaml()) as { tasks: RawRecord[] }).tasks;
  }

  statusByName(): Record<string, string> {
    return Object.fromEntries(this.rawRecords().map(({ name, status }) => [name, status]));
  }

  /** The names of the tasks whose agents began, one for each beginning. */
  begun(): string[] {
    const lines = this.has('diary') ? this.cueText('diary').trimEnd().split('\n') : [];
    return lines.flatMap((line) => /^began (.+)$/.exec(line)?.[1] ?? []);
  }

  cueText(name: string): string {
    return fs.readFileSync(path.join(this.cues, name), 'utf8');
  }
}

/** `T`: stopped by a signal. */
function isStopped({ pid, exitCode, signalCode }: ChildProcess): boolean {
  if (exitCode !== null || signalCode !== null) throw new Error('it ended before it came there');
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) === 'T';
}

/** A record with every key that it must have; its agent reads its name. */
export function queueText(records: readonly (Partial<RawRecord> & { name: string })[]): string {
  return `tasks:\n${records.map((record, index) => recordText(record, index)).join('')}`;
}

/** The first is the oldest: tasks run in the order in which they were made. */
export function recordText({ name, ...more }: Partial<RawRecord> & { name: string }, index = 0): string {
  const hasText = 'content_file' in more || 'task_dir' in more;
  const record = {
    name,
    status: 'pending',
    ...(!hasText && { content: `${name} please` }),
    created_at: new Date(Date.parse('2026-03-01T08:00:00Z') + index * 1000).toISOString(),
    started_at: null,
    completed_at: null,
    ...more,
  };
  const known = Object.entries(record).filter(([, value]) => value !== undefined);
  const lines = known.map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return `  - ${lines.join('    ')}`;
}

export interface RawRecord {
  name: string;
  status: string;
  content?: string;
  content_file?: string;
  task_dir?: string;
  started_at: string | null;
  completed_at: string | null;
  owner_pid?: number | null;
  failure?: { error: string; movement?: string; step?: string; last_message?: string };
  [key: string]: unknown;
}
