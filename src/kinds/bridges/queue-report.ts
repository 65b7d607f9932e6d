import { readEvidence, type ShownEvidence } from '../../engine/evidence-book.ts';
import { command } from '../../errors/command.ts';
import { deliveryLine } from '../../render/delivery.ts';
import { reportFrom } from '../../report/parse.ts';
import type { Report } from '../../report/schema.ts';
import type { TaskOf } from '../../task/schema.ts';
import { queueEvidence } from '../queue/format/file.ts';
import { notedOf } from '../queue/format/record.ts';

const mostCommands = 20;
/** A command that docket itself ran is a result, also for a policy that asks for the word. */
const noteOf = (exit: number | undefined): string => `result: exit code ${exit}, run by docket`;
const noted = /^result: (exit code -?\d+), run by docket$/;

/** What a finished task of the queue hands on: its agent's own words, and what docket saw of the work. */
export function queueReport(task: TaskOf<'done'>, root: string): Report {
  const last = task.run?.steps.at(-1);
  const said = (last && task.run?.states[last.id]?.report) ?? {};
  const seen = seenOf(task, root);
  const about = { status: 'success', summary: task.summary.trim() || task.title };
  const theirs = Array.isArray(said['evidence']) ? said['evidence'] : [];
  const whole = reportFrom({ ...about, changes: said['changes'], evidence: [...theirs, ...seen] });
  // What an older docket let through must not keep the board from hearing the rest.
  const read = 'report' in whole ? whole : reportFrom({ ...about, evidence: seen });
  if ('report' in read) return read.report;
  throw new Error(`the report of task ${task.id} is not valid: ${read.problem}`);
}

/** One line for people: what was done, where it is and what proves it. */
export function resultText(task: TaskOf<'done'>, report: Report): string {
  const proved = report.evidence.flatMap(({ kind, ref, note = '' }) => {
    const exit = kind === 'command' ? noted.exec(note)?.[1] : undefined;
    return exit === undefined ? [] : [`${ref} (${exit})`];
  });
  const { prUrl } = notedOf(task);
  const undelivered = deliveryLine(task) ?? '';
  const where = [gitOf(task), prUrl ?? '', undelivered].filter((text) => text !== '');
  return `${report.summary} | ${[...where, ...proved, `queue task ${task.id}`].join('; ')}`.slice(0, 4000);
}

function seenOf(task: TaskOf<'done'>, root: string): Record<string, string>[] {
  const { prUrl } = notedOf(task);
  const folder = queueEvidence(task.id);
  const commands = lastOfEach(readEvidence(root, folder, task.id)).map(({ what: ref, exit }) => ({
    kind: 'command',
    ref,
    note: noteOf(exit),
  }));
  const git = gitOf(task);
  return [
    ...commands,
    ...(git === '' ? [] : [{ kind: 'text', ref: git }]),
    ...(prUrl === undefined ? [] : [{ kind: 'url', ref: prUrl }]),
    { kind: 'file', ref: `${folder}/evidence.jsonl`, note: command`evidence ${task.id}`.toString() },
  ];
}

function gitOf(task: TaskOf<'done'>): string {
  const { branch, commit } = notedOf(task);
  return [branch && `branch ${branch}`, commit && `commit ${commit.slice(0, 12)}`].filter(Boolean).join(', ');
}

/** As it ended last, whatever came before. */
function lastOfEach(entries: readonly ShownEvidence[]): ShownEvidence[] {
  const ran = entries.filter(({ kind, exit, wrong }) => kind === 'command' && exit !== undefined && !wrong);
  return [...new Map(ran.map((entry) => [entry.what, entry])).values()].slice(-mostCommands);
}
