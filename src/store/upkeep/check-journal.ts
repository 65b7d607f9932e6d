import path from 'node:path';
import * as v from 'valibot';
import { DocketError, messageOf } from '../../errors.ts';
import { command } from '../../errors/command.ts';
import { newEventSchema, taskSchema, type Event } from '../../task/schema.ts';
import { lossOf, readHighWater } from '../file/high-water.ts';
import { Journal } from '../file/journal.ts';
import { assertJournalNotLost, placeOf } from '../file/place.ts';
import { lostEvents } from '../journal-error.ts';
import { Ledger } from '../ledger.ts';
import type { Finding } from '../store.ts';

/** Reads a whole journal, event by event against the schema, and folds it. Changes nothing. */
export function checkJournal(file: string): Finding[] {
  const findings: Finding[] = [];
  const ledger = new Ledger();
  const journal = new Journal(file, 'read');
  const found = (
    line: number | undefined,
    message: string,
    fix: string,
    severity: Finding['severity'] = 'error',
  ) => findings.push({ severity, path: file, ...(line !== undefined && { line }), message, fix });
  try {
    journal.readNew((event) => {
      const problem = check(event, ledger, journal.base > 0);
      if (problem) found(event.seq - journal.base + 1, problem, 'restore the journal from a backup');
    });
    const torn = journal.tornBytes();
    if (torn) {
      const text = `${torn.length} bytes of an unfinished write stand at the end`;
      found(
        journal.seq - journal.base + 2,
        text,
        'nothing to do: the next command that writes keeps them aside',
        'warning',
      );
    }
    const mark = readHighWater(path.dirname(file), file);
    const loss = mark && lossOf(mark, journal);
    if (loss) {
      const { message, fix } = lostEvents(file, loss, journal.seq, command`repair`);
      found(undefined, message.slice(file.length + 2), fix);
    }
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    const { line } = error.data as { line?: number };
    found(line, error.message.replace(/^.*?:\d+: /, ''), error.fix);
  } finally {
    journal.close();
  }
  return findings;
}

/** A store whose journal is gone has no file to check, and is not new. */
export function checkMissing(dir: string): Finding[] {
  const place = placeOf(dir);
  try {
    assertJournalNotLost(place);
    return [];
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    return [{ severity: 'error', path: place.journal, message: error.message, fix: error.fix }];
  }
}

/** A journal that compaction began anew speaks of tasks that only its snapshot knows: those are not folded. */
function check(event: Event, ledger: Ledger, continued: boolean): string | undefined {
  const {
    v: _version,
    seq: _seq,
    at: _at,
    key: _key,
    digest: _digest,
    more: _more,
    id: _id,
    ...rest
  } = event;
  const valid = v.safeParse(newEventSchema, rest);
  if (!valid.success) {
    const [issue] = valid.issues;
    return `${event.type}: ${v.getDotPath(issue) ?? ''} ${issue.message}`;
  }
  if (continued && event.type !== 'task.created' && ledger.get(event.taskId) === undefined) return undefined;
  try {
    ledger.apply(event);
  } catch (error) {
    return messageOf(error);
  }
  return v.is(taskSchema, ledger.get(event.taskId))
    ? undefined
    : `leaves task ${event.taskId} in a state that no task can have`;
}
