import type { FoundTask } from '../../kinds/kind.ts';
import { askedAt } from '../../render/asked.ts';
import { visibleText } from '../../render/visible-text.ts';
import type { Project } from '../../settings/project.ts';
import { openReader } from '../../store/open/open.ts';
import type { StoreReader } from '../../store/store.ts';
import type { KindName } from '../../task/kind-names.ts';
import type { Gate } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import { explainTask } from '../explain/explain.ts';
import { findTask } from '../tasks/find.ts';
import { kindNamed } from '../tasks/kinds.ts';
import type { AgentTask, Question } from './api.ts';
import { assertInside } from './inside.ts';
import { rowOf } from './listed.ts';

/** All about one task, whatever its layout. Takes no lock and changes nothing. */
export async function shownTo(where: Project, ref: string, of: KindName | undefined): Promise<AgentTask> {
  assertInside(where.root, ref);
  const found = await findTask(where, ref, of);
  const { kind, task, view } = found;
  const reader = openReader(found.store, where.clock);
  const { cause, next, timeline, evidence } = await explainTask(found, where, kind);
  const lease = 'lease' in task ? task.lease : undefined;
  return {
    ...rowOf(kind, task, view.waits[task.id]),
    title: visibleText(task.title),
    why: visibleText(cause.text),
    createdBy: visibleText(task.createdBy),
    ...(task.trust && { trust: task.trust }),
    text: visibleText(await textOf(found, where.root, reader)),
    needs: task.needs,
    ...(cause.who !== undefined && { who: cause.who }),
    ...(lease?.kind === 'term' && { until: lease.until }),
    next: next.map(({ words, does }) => ({ command: ['docket', ...words].map(shellWord).join(' '), does })),
    questions: await questionsOf(found, reader),
    timeline: timeline.map(({ at, by, text }) => ({ at, by: visibleText(by), text: visibleText(text) })),
    evidence: evidence.map(({ at, what, ok }) => ({ at, what: visibleText(what), ok })),
  };
}

async function questionsOf({ kind: name, task }: FoundTask, reader: StoreReader): Promise<Question[]> {
  const kind = kindNamed(name);
  if (!kind.questions) return namedQuestions(task);
  return kind.questions(await reader.history(task.id)).map(({ question, answer, ...asked }) => ({
    ...asked,
    question: visibleText(question),
    ...(answer && { answer: { ...answer, text: visibleText(answer.text) } }),
  }));
}

async function textOf({ kind, task }: FoundTask, root: string, reader: StoreReader): Promise<string> {
  const written = await kindNamed(kind).text?.(root, reader, task);
  if (written !== undefined) return written;
  const { body } = task.spec;
  if (typeof body === 'string') return body;
  return Buffer.from((await reader.blobs.get(body.blob)) ?? '').toString('utf8');
}

/** Those of a run, which have names. Nobody can answer an open one of a task that is over. */
function namedQuestions({ status, run }: Task): Question[] {
  const isOver = status === 'done' || status === 'failed' || status === 'canceled';
  return Object.entries(run?.gates ?? {})
    .filter(([, { state }]) => state !== 'blocked' || !isOver)
    .map(([gate, facts]) => ({
      gate,
      question: visibleText(askedAt(run, facts).questions?.join('\n') ?? facts.reason),
      by: visibleText(facts.step ?? 'docket'),
      at: facts.blockedAt,
      ...(facts.options && {
        choices: facts.options.map(({ id, text }) => ({ id, text: visibleText(text) })),
      }),
      ...(facts.state !== 'blocked' && { answer: answerTo(facts) }),
    }));
}

function answerTo({ state, choice, note, resolvedBy, resolvedAt }: Gate): NonNullable<Question['answer']> {
  const text = [state, choice, note].filter((part) => part !== undefined && part !== '').join(': ');
  return { text: visibleText(text), by: visibleText(resolvedBy ?? ''), at: resolvedAt ?? '' };
}

function shellWord(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${visibleText(word).replaceAll("'", String.raw`'\''`)}'`;
}
