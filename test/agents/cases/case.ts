import { expect, type TestContext } from 'vitest';
import type { Capabilities, ErrorClass } from '../../../src/adapters/adapter.ts';
import { openLab, type Lab, type Place, type Ran, type Subject } from '../lab.ts';
import type { Model } from '../model/server.ts';
import type { Scenario, Tokens } from '../model/step.ts';

/** What one CLI lets us know when its model fails. A word here is a fact about the vendor, not a wish. */
export interface Told {
  /** Does it arrive at us when a limit ends, where the model says so? */
  retryAfter: boolean;
  /** The model's stream says that it is overloaded and ends. */
  overloaded: ErrorClass;
  /** The line breaks in the middle of the answer. */
  cut: ErrorClass;
  /** An id of the right form that no session has. */
  missingSession: string;
}

/** Opens a lab that is closed when the test ends, however it ends. */
export async function lab(
  test: TestContext,
  subject: Subject,
  scenario: Scenario | ((place: Place) => Scenario),
): Promise<Lab> {
  const opened = await openLab(subject, typeof scenario === 'function' ? scenario : () => scenario);
  test.onTestFinished(() => opened.close());
  return opened;
}

/** The model of a lab that has one. */
export function modelOf(lab: Lab): Model {
  if (!lab.model) throw new Error('this case needs a model behind the agent');
  return lab.model;
}

/** What a turn that went well came to: one end, the last event, with nothing wrong about it. */
export function good(text: string): object {
  return { ends: 1, last: 'end', error: undefined, exit: { code: 0 }, text };
}

/** How a turn ended, to be compared. */
export function endOf(ran: Ran): object {
  const { error, exit, text } = ran;
  return { ends: ends(ran), last: ran.events.at(-1)?.type, error, exit, text };
}

/** The end comes once and last, whatever happened. */
export function expectEnd(ran: Ran): void {
  expect({ ends: ends(ran), last: ran.events.at(-1)?.type }).toEqual({ ends: 1, last: 'end' });
}

function ends(ran: Ran): number {
  return ran.events.filter((event) => event.type === 'end').length;
}

/** Tokens as docket counted them. */
export function usageOf(ran: Ran): Partial<Tokens> | undefined {
  if (!ran.usage) return undefined;
  const { input, cached, output } = ran.usage;
  return { input, cached, output };
}

/** What the server counted since a request, where the adapter says that it can know. */
export function countedBy(lab: Lab, { usage }: Capabilities, from = 0): Tokens | undefined {
  return usage === 'none' ? undefined : lab.model?.counted(from);
}
