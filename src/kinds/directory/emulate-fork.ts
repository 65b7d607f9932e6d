import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { readTextFile } from '../../io/text-file.ts';
import { fenced } from '../../render/fence.ts';
import { clip } from '../../report/clip.ts';
import type { Task } from '../../task/schema.ts';
import { runtimeFolder } from './runtime-folder.ts';

const longestFile = 64 * 1024 * 1024;
const longestPart = 30_000;

/** What an agent that cannot copy a session is told of it instead: the order, the record and the result of its parent. */
export function transcriptOf(task: Task, session: string, dir: string): string {
  const attempt = Object.values(task.attempts ?? {}).find((one) => one.session === session);
  if (!attempt) {
    throw new DocketError(
      'NOT_FOUND',
      `session ${session} belongs to no agent of this task: there are no words to give on`,
      'fork from a session of this task, or use mode "spawn"',
      { session },
    );
  }
  const folder = runtimeFolder(dir, attempt.step, attempt.n);
  const part = (title: string, name: string): string => {
    const text = readTextFile(path.join(folder, name), longestFile) ?? '';
    const kept = text.length > longestPart ? `…${text.slice(-longestPart)}` : text;
    return `### ${title}\n\n${fenced(kept, 'that agent and whoever it worked for')}`;
  };
  const report = JSON.stringify(task.run?.states[attempt.step]?.report ?? {}, undefined, 2);
  return [
    '## What you start from',
    'You take over from an agent that worked on this before you.',
    part('What it was told', 'prompt'),
    part('Its record, as it was printed (the end of it)', 'events.jsonl'),
    `### What it handed back\n\n${fenced(clip(report, longestPart), 'that agent')}`,
  ].join('\n\n');
}
