import { clip } from '../report/clip.ts';
import { fenced as asData } from './fence.ts';
import { codeBlock } from './markdown.ts';

export interface Attachment {
  path: string;
  /** Its lines, when it is not the whole file. */
  range?: string;
  reason?: string;
  text: string;
}

export interface WorkerBrief {
  /** What all steps together are for. */
  goal: string;
  title: string;
  prompt: string;
  /** What people wrote for all agents of the task. */
  notes?: string;
  /** What a person answered to this step. */
  answer?: string;
  attachments: readonly Attachment[];
  /** What people wanted to attach and docket could not, with the reason. */
  missing?: readonly string[];
  /** What docket holds the work to. */
  heldTo?: Readonly<Record<'commands' | 'criteria' | 'allow' | 'deny', readonly string[]>>;
  /** Results that this step builds on. */
  needs: readonly { id: string; title: string; summary: string }[];
}

const longest = {
  goal: 4000,
  answer: 20_000,
  notes: 20_000,
  need: 2000,
  attachment: 60_000,
  attachments: 200_000,
};

/** A worker's first prompt: people's words before all others, then the work, then what it may look at. */
export function workerPrompt(brief: WorkerBrief, contract?: string): string {
  return sections([
    people(brief),
    [`# Your task: ${oneLine(brief.title)}`, brief.prompt.trim()],
    brief.goal.trim() !== '' && [
      '# What it is part of',
      'Others work on the rest. Do your task only; this is what all of it is for:',
      codeBlock(clip(brief.goal.trim(), longest.goal)),
    ],
    doneWhen(brief.heldTo),
    brief.needs.length > 0 && ['# Results that you build on', ...brief.needs.map(need)],
    brief.attachments.length > 0 && ['# Attached', ...attached(brief.attachments)],
    brief.missing !== undefined &&
      brief.missing.length > 0 && [
        '# Not attached',
        'These files were meant for you and could not be read. Say so in your report where it matters.',
        brief.missing.map((problem) => `- ${oneLine(problem)}`).join('\n'),
      ],
    contract !== undefined && [contract],
  ]);
}

export interface Resumption {
  notes?: string;
  answer?: string;
  /** Why it had stopped. */
  reason?: string;
}

/** For the session that has all the rest already. */
export function resumePrompt(resumption: Resumption): string {
  const { reason } = resumption;
  return sections([
    people(resumption) ?? ['A person has looked at your question and lets you go on.'],
    reason !== undefined && ['You had stopped because of this:', codeBlock(clip(reason, longest.need))],
    ['Go on with your task from where you stopped, and hand back the report as you were asked to.'],
  ]);
}

function doneWhen(heldTo: WorkerBrief['heldTo']): string[] | undefined {
  if (!heldTo) return undefined;
  const { commands, criteria, allow, deny } = heldTo;
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [[title, ...lines.map((line) => `- ${oneLine(line)}`)].join('\n')];
  const parts = [
    ...list('These commands will be run as proof when all work is finished:', commands),
    ...list('These criteria must hold:', criteria),
    ...list('Change files only here:', allow),
    ...list('Do not change files here:', deny),
  ];
  return parts.length === 0 ? undefined : ['# Done when', ...parts];
}

function people({ notes, answer }: Pick<WorkerBrief, 'notes' | 'answer'>): string[] | undefined {
  const said = [
    ...quote('The answer to your question:', answer, longest.answer),
    ...quote('Notes for all agents of this task:', notes, longest.notes),
  ];
  if (said.length === 0) return undefined;
  return ['# From a person: high priority', 'Where this and anything below disagree, this counts.', ...said];
}

function quote(title: string, text: string | undefined, max: number): string[] {
  return text === undefined || text.trim() === '' ? [] : [title, codeBlock(clip(text.trim(), max))];
}

function need({ id, title, summary }: WorkerBrief['needs'][number]): string {
  return `${id} (${oneLine(title)}):\n${asData(clip(summary, longest.need), `the agent of ${id}`)}`;
}

/** Each has a bound, and all together: what is left out is named, so that the agent can open the file itself. */
function attached(attachments: readonly Attachment[]): string[] {
  let room = longest.attachments;
  return attachments.map(({ path, range, reason, text }) => {
    const head = `${oneLine(path)}${range === undefined ? '' : ` (lines ${range})`}`;
    const why = reason === undefined ? '' : `: ${oneLine(reason)}`;
    const max = Math.min(longest.attachment, room);
    room -= Math.min(text.length, max);
    if (text !== '' && max < 1000)
      return `${head}${why}\n(left out, there is too much attached; open the file)`;
    const cut =
      text.length > max ? `\n(the first of ${text.length} characters; open the file for the rest)` : '';
    return `${head}${why}\n${asData(clip(text, max), `the file ${path}`)}${cut}`;
  });
}

function oneLine(text: string): string {
  return clip(text.replaceAll(/\s+/g, ' ').trim(), 500);
}

function sections(parts: readonly (readonly string[] | false | undefined)[]): string {
  const kept = parts.filter((part) => part !== false && part !== undefined);
  return `${kept.map((part) => part.join('\n\n')).join('\n\n')}\n`;
}
