import { z } from 'zod';
import { proofKinds } from '../../../../report/classify-kinds.ts';
import { isBuiltIn } from '../../../../task/id.ts';

const maybe = <T extends z.ZodType>(schema: T) => schema.nullable().optional();
const texts = z.array(z.string().regex(/\S/));
const roleName = z
  .string()
  .regex(/\S/)
  .refine((name) => !isBuiltIn(name));

const role = z.strictObject({
  requireAny: maybe(texts.describe('Words of which a report has at least one, whole.')),
  requiredEvidence: maybe(
    z.array(z.enum(proofKinds)).describe('Kinds of evidence; a report has each of them.'),
  ),
  verifyCommands: maybe(texts.describe('Shell commands that docket runs itself; each must end with 0.')),
});

/** `config/acceptance-policy.json` as it may be written. */
export const policySchema = z.strictObject({
  $schema: maybe(z.string().min(1)),
  global: maybe(
    z.strictObject({
      requireEvidence: maybe(
        z.boolean().describe('A report points to a file, a link, a command, a commit or a log.'),
      ),
    }),
  ),
  roles: maybe(
    z.record(roleName, maybe(role)).describe('By role. What is not said here is as docket ships it.'),
  ),
});
