import path from 'node:path';
import { isDirectory } from '../../io/find-up.ts';
import type { StepContext } from '../../render/step-prompt.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import { foreignAuthor } from '../../task/trust.ts';
import type { Node } from '../../workflow/graph.ts';
import { trail } from '../../workflow/trail.ts';
import { notedOf } from './format/noted.ts';
import { wishesOf } from './format/wishes.ts';
import { nodeFor, type TaskRun } from './task-run.ts';

/** Everything that a step's prompt is made from, beside its node. */
export function contextOf(
  node: Node,
  step: Step,
  task: Task,
  run: TaskRun,
  contract: string | undefined,
): StepContext {
  const { graph, body, folder } = run;
  const passed = trail({ steps: task.run?.steps ?? [] });
  const here = passed.findIndex(({ id, needs }) => id === step.id || needs.includes(step.id));
  const before = passed[here - 1];
  const previous = before && answerOf(before, task, run);
  const noted = notedOf(task);
  const author = foreignAuthor(task);
  const { retryNote, taskDir } = wishesOf(task);
  const note = [retryNote, noted.note].filter((text) => text !== undefined).join('\n\n');
  const files = taskDir === undefined ? undefined : path.join(run.places.root, taskDir);
  const appendix = before && ruleInto(before, task, run)?.appendix;
  return {
    workflow: graph.name,
    titles: titlesOf(run),
    iteration: here + 1,
    maxSteps: noted.maxSteps ?? graph.maxSteps,
    pass:
      (task.run?.steps ?? [])
        .filter((other) => other.node === node.id && other.kind !== 'human')
        .findIndex(({ id }) => id === step.id) + 1,
    task: { title: task.title, body, ...(author !== undefined && { author }) },
    ...(files !== undefined && isDirectory(files) && { files }),
    reportDir: folder.reportDir,
    report: (name) => folder.report(name),
    ...(previous && { previous }),
    inputs: inputsOf(task),
    ...(note !== '' && { note }),
    ...(appendix !== undefined && { appendix }),
    ...(contract !== undefined && { contract }),
  };
}

function titlesOf({ graph }: TaskRun): string[] {
  const nodes = Object.values(graph.nodes);
  const parts = new Set(nodes.flatMap((node) => node.parts ?? []));
  return nodes.filter(({ id }) => !parts.has(id)).map(({ title }) => title);
}

/** What a step said; of one that brought others together, what each of them said. */
export function answerOf(step: Step, task: Task, run: TaskRun): StepContext['previous'] {
  const steps = (task.run?.steps ?? []).filter(({ id }) => step.needs.includes(id));
  if (steps.length === 0) return said(step, task, run);
  const texts = steps.flatMap((part) => {
    const found = said(part, task, run);
    return found ? [`### ${part.title}\n\n${found.text.trim()}`] : [];
  });
  const file = path.join(run.folder.dir, 'context', 'previous_responses');
  return texts.length === 0 ? undefined : { step: step.title, text: texts.join('\n\n'), file };
}

function said(step: Step, task: Task, { folder }: TaskRun): StepContext['previous'] {
  const n = task.attempts?.[step.id]?.n ?? 0;
  const kept = folder.answer(step.id, n);
  if (kept) return { step: step.title, ...kept };
  const summary = task.run?.states[step.id]?.report?.['summary'];
  return typeof summary === 'string' ? { step: step.title, text: summary, file: folder.dir } : undefined;
}

/** The rule by which a step was left. */
function ruleInto(step: Step, task: Task, run: TaskRun) {
  const chose = task.run?.states[step.id]?.chose;
  return chose && nodeFor(run, step).rules[chose.rule];
}

/** What people answered at gates of this run. */
function inputsOf({ run }: Task): string[] {
  return Object.values(run?.gates ?? {}).flatMap(({ state, reason, note }) =>
    state === 'approved' && note !== undefined ? [`Asked: ${reason}\nAnswer: ${note}`] : [],
  );
}
