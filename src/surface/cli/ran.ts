import type { App } from '../../app.ts';
import { deliveryLine } from '../../render/delivery.ts';
import { reasonLine } from '../../render/reason-line.ts';
import { tellingLine } from '../../render/telling.ts';
import { unprovedText } from '../../render/unmet.ts';
import { nameOf } from './name.ts';
import { andWhen } from './resumes.ts';
import type { Color, Paint } from './style.ts';
import { tokensText } from './tokens.ts';
import { visible } from './visible.ts';
import { cut } from './width.ts';

type Ran = Awaited<ReturnType<App['run']>>[number];

const colors: Partial<Record<Ran['task']['status'], Color>> = {
  done: 'green',
  failed: 'red',
  blocked: 'yellow',
};

/** One task after a run: what became of it, by whom, for how much, and the sentence that matters. */
export function ranRow({ task, agent, attempt, unseen = [] }: Ran, paint: Paint): string {
  const undelivered = deliveryLine(task);
  const color = undelivered === undefined ? colors[task.status] : 'yellow';
  const status = paint(color ?? 'plain', task.status.padEnd(8));
  // Nobody was called: then there is nobody to name, and nothing was spent.
  const facts = attempt
    ? [`by ${visible(agent)}`, `attempt ${attempt.n}`, tokensText(attempt.end?.usage)]
    : [];
  const head = `${status} ${visible(nameOf(task))}  ${paint('dim', facts.join(', '))}`.trimEnd();
  const said = saidOf(task);
  const lines = said === '' ? [] : [cut(visible(tellingLine(said)), 300)];
  if (undelivered !== undefined) lines.push(paint('yellow', cut(visible(undelivered), 300)));
  if (unseen.length > 0) lines.push(paint('yellow', `but ${unseen.join(', and ')}`));
  return [head, ...lines.map((line) => `         ${line}`)].join('\n');
}

function saidOf(task: Ran['task']): string {
  if (task.status === 'done') return task.unproved ? unprovedText : task.summary;
  if (task.status === 'failed') return task.failure.error;
  if (task.status !== 'blocked') return '';
  const { kind, text, resumesAt } = task.reason;
  return andWhen(reasonLine(kind, text), 'resumes', resumesAt);
}
