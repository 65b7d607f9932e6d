import { describe } from 'vitest';
import { answerCases } from './cases/answers.ts';
import { approvalCases } from './cases/approvals.ts';
import type { Told } from './cases/case.ts';
import { failureCases } from './cases/failures.ts';
import { permissionCases } from './cases/permissions.ts';
import { sessionCases } from './cases/sessions.ts';
import { stopCases } from './cases/stops.ts';
import type { Subject } from './lab.ts';

/**
 * What every adapter must do, by its own word for what it can. `told` is what the vendor passes on of a model's
 * failures; an agent without a model has none, so those cases are not for it.
 */
export function conformance(subject: Subject, told?: Told): void {
  // The failures come first: they spend their time in the vendors' own waits, while others work.
  const asked = subject.approvals ? ', with somebody to ask' : '';
  describe.concurrent(`the ${subject.adapter.name} adapter${asked}`, () => {
    if (told) failureCases(subject, told);
    stopCases(subject);
    answerCases(subject);
    permissionCases(subject);
    if (subject.approvals) approvalCases(subject);
    if (told) sessionCases(subject, told);
  });
}
