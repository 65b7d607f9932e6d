import { z } from 'zod';
import { sources } from '../task/trust.ts';

const level = z.enum(['high', 'low']);
const host = z
  .string()
  .regex(
    /^(?:\*\.)?[A-Za-z0-9_][A-Za-z0-9_.-]*(?::[0-9]{1,5})?$/,
    'use a name such as api.example.com, *.example.com or host:port',
  );
export const hostsSchema = z.array(host);

/** Whose words are vouched for, and what becomes of a task that nobody vouches for. */
export const trustSchema = z.strictObject({
  /** By login, or by who they are in a chat. */
  authors: z.record(z.string().min(1).max(200), level).exactOptional(),
  /** By where a task comes from. */
  sources: z.partialRecord(z.enum(sources), level).exactOptional(),
  /** What such a task may do. Absent: sandbox. */
  low: z.enum(['sandbox', 'read']).exactOptional(),
  /** Whom its agents may talk to, beside their provider. */
  hosts: hostsSchema.exactOptional(),
  /** Variables that they get, beside what their provider needs. */
  env: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).exactOptional(),
  /** What they may read of people's folders: tools, say. */
  paths: z.array(z.string().min(1)).exactOptional(),
});

export function knownTrustKeys(at: readonly PropertyKey[]): string[] {
  if (at.length === 1) return Object.keys(trustSchema.shape);
  return at[1] === 'sources' ? [...sources] : [];
}
