import type { Facet, Node, ReportContract } from '../workflow/graph.ts';
import { tagName } from '../workflow/rules.ts';
import { fenced, fencedWork } from './fence.ts';

/** What a step's prompt is made from, beside its node. */
export interface StepContext {
  workflow: string;
  /** The names of the steps of the workflow, in their order. */
  titles: readonly string[];
  /** How many steps the run has taken, this one included, and how often this one. */
  iteration: number;
  maxSteps: number | undefined;
  pass: number;
  /** `author`: its words are somebody's whom nobody vouches for. */
  task: { title: string; body: string; author?: string };
  /** Where the task's own files are, if it has some. */
  files?: string;
  /** Where reports of earlier steps are. */
  reportDir: string;
  /** The text of a report that was handed in. */
  report: (name: string) => string | undefined;
  previous?: { step: string; text: string; file: string };
  /** What people said since it began. */
  inputs: readonly string[];
  /** Why it is tried again, in a person's words. */
  note?: string;
  /** What the rule that led here says beside. */
  appendix?: string;
  /** How an answer has to look that is read by a program. */
  contract?: string;
}

/** Longer texts are cut, and the place of the whole is named: an agent can read it there. */
const longestPrevious = 8000;

/**
 * What an agent is told for one step. Who it is and what it may rely on come first, what holds last: that is what models
 * keep to best.
 */
export function stepPrompt(node: Node, context: StepContext): string {
  const { prompt } = node;
  const values = valuesOf(context);
  const used = new Set<string>();
  const told = (text: string): string => fill(text, values, used);
  // First, because what it places itself is not said a second time.
  const instruction = [told(prompt.instruction), context.appendix].filter(Boolean).join('\n\n');
  const sections = [
    prompt.persona === undefined ? '' : told(prompt.persona),
    section('Where you are', position(node, context)),
    ...facets('Background', prompt.knowledge, told),
    context.note === undefined ? '' : section('Why this is tried again', context.note),
    used.has('task') ? '' : section('The task', taskText(context)),
    used.has('previous_response') || !prompt.passPrevious ? '' : previously(context),
    used.has('user_inputs') || context.inputs.length === 0
      ? ''
      : section('What people have answered', context.inputs.join('\n\n')),
    section('What to do now', instruction),
    prompt.criteria.length === 0 ? '' : section('It is good when', list(prompt.criteria)),
    node.checks.length === 0 ? '' : section('What is run when you have ended', checksText(node)),
    ...facets('What holds', prompt.policy, told),
    node.permission === 'read' || node.commits ? '' : 'Commit nothing: that is done when all steps are.',
    node.reports.length === 0 ? '' : reportsText(node.reports),
    ending(node, context),
  ];
  return `${sections.filter((text) => text.trim() !== '').join('\n\n')}\n`;
}

/** Rules that a program cannot decide: the agent says which one holds. */
function openRules({ rules }: Node): { number: number; text: string }[] {
  return rules.flatMap(({ condition, text }, at) =>
    condition.kind === 'label' || condition.kind === 'judge' || condition.kind === 'and'
      ? [{ number: at + 1, text: condition.kind === 'and' ? text : condition.text }]
      : [],
  );
}

/** It has to say which of several things is true. */
export function needsTag(node: Node): boolean {
  return node.kind === 'work' && node.rules.length > 1 && openRules(node).length > 0;
}

/** `[REVIEW:1] approved`, for each rule that it may name. Empty: nobody asks it. */
export function tagList(node: Node): string[] {
  const name = tagName(node.title);
  return needsTag(node) ? openRules(node).map(({ number, text }) => `[${name}:${number}] ${text}`) : [];
}

function ending(node: Node, { contract }: StepContext): string {
  return needsTag(node) ? section('How to end', tagsOf(node)) : (contract ?? '');
}

/** How an agent says which of several rules holds. Empty: nobody asks it. */
export function tagsOf(node: Node): string {
  if (!needsTag(node)) return '';
  const stuck = `- [${tagName(node.title)}:0] you cannot go on without a person; say above what you need`;
  const lines = [
    'The last line of your answer is one of these tags, the one that is true, and nothing else:',
    '',
    list(tagList(node)),
    stuck,
  ];
  return lines.join('\n');
}

function position({ title }: Node, { workflow, titles, iteration, maxSteps, pass }: StepContext): string {
  const most = maxSteps === undefined ? '' : ` of at most ${maxSteps}`;
  const steps = titles.map((name) => (name === title ? `**${name}**` : name)).join(', ');
  return [
    `Workflow ${workflow}; its steps: ${steps}.`,
    `This is step ${iteration}${most}; you are at ${title} for the ${ordinal(pass)} time.`,
  ].join('\n');
}

function ordinal(n: number): string {
  return ['first', 'second', 'third'][n - 1] ?? `${n}th`;
}

function taskText({ task, files }: StepContext): string {
  const said = task.body.trim() === '' ? task.title : task.body.trim();
  const body = task.author === undefined ? said : fencedWork(said, task.author);
  return files === undefined ? body : `${body}\n\nFiles that belong to it are in ${files}.`;
}

function previously({ previous }: StepContext): string {
  return previous ? section(`What ${previous.step} said`, previousText(previous)) : '';
}

function previousText({ step, text, file }: NonNullable<StepContext['previous']>): string {
  const said = text.trim();
  const whole = said.length <= longestPrevious;
  const shown = fenced(whole ? said : said.slice(0, longestPrevious), `the agent of step ${step}`);
  return whole ? shown : `${shown}\n\n(cut there; all of it is in ${file})`;
}

/** A report is an agent's, whatever a workflow calls it. */
function handedIn(report: StepContext['report']): StepContext['report'] {
  return (name) => {
    const text = report(name);
    return text === undefined ? undefined : `\n${fenced(text.trim(), `the agent that handed in ${name}`)}\n`;
  };
}

function checksText({ checks }: Node): string {
  return `${list(checks.map(({ name, command }) => `${name}: \`${command}\``))}\nWhat fails comes back to you.`;
}

function reportsText(reports: readonly ReportContract[]): string {
  const each = reports.map(({ name, format }) => `### ${name}\n\n${format.trim()}`);
  const how = [
    'Hand in each of these reports inside your answer, between a line `<<<report NAME` and a line `>>>`, whole:',
    '',
    `<<<report ${reports[0]?.name ?? ''}`,
    '…',
    '>>>',
  ];
  return section('Reports to hand in', [...how, '', ...each].join('\n'));
}

/** Asks, in the same session, for what was left out. */
export function missingReportsPrompt(missing: readonly ReportContract[]): string {
  const names = missing.map(({ name }) => name).join(', ');
  return `Your answer lacks these reports: ${names}. Do no further work.\n\n${reportsText(missing)}\n`;
}

function facets(title: string, texts: readonly Facet[], told: (text: string) => string): string[] {
  return texts.map(({ name, text }) => section(`${title}: ${name}`, told(text)));
}

function section(title: string, text: string): string {
  return text.trim() === '' ? '' : `## ${title}\n\n${text.trim()}`;
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function valuesOf(context: StepContext): Values {
  const { previous, inputs, reportDir, iteration, maxSteps, pass } = context;
  return {
    plain: {
      task: taskText(context),
      iteration: String(iteration),
      max_steps: maxSteps === undefined ? 'any number' : String(maxSteps),
      max_movements: maxSteps === undefined ? 'any number' : String(maxSteps),
      max_iterations: maxSteps === undefined ? 'any number' : String(maxSteps),
      step_iteration: String(pass),
      movement_iteration: String(pass),
      previous_response: previous ? previousText(previous) : '',
      user_inputs: inputs.join('\n\n'),
      report_dir: reportDir,
    },
    report: handedIn(context.report),
  };
}

interface Values {
  plain: Readonly<Record<string, string>>;
  /** The text of a report, by its name. */
  report: (name: string) => string | undefined;
}

const variable = /\{(report:)?([A-Za-z0-9_.-]{1,100})\}/g;

/**
 * Puts values in the place of `{task}`, `{report:00-plan.md}` and their kind, once: what comes with a value is text, and
 * not filled in again. Braces that mean nothing here stay. `used` is told which were placed.
 */
function fill(text: string, { plain, report }: Values, used: Set<string>): string {
  return text.replaceAll(variable, (whole, isReport: string | undefined, name: string) => {
    if (isReport !== undefined) return report(name) ?? `(there is no report ${name} yet)`;
    const value = Object.hasOwn(plain, name) ? plain[name] : undefined;
    if (value === undefined) return whole;
    used.add(name);
    return value;
  });
}
