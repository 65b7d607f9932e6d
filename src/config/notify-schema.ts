import { z } from 'zod';

/** What holds secrets, beside what is known by its name. */
export const secrets = z.strictObject({
  /** Variables of docket's own environment. */
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'name a variable, without "$"'))
    .max(200)
    .exactOptional(),
  /** Files that hold nothing else: NAME=value, JSON, or a key. From the root, or from your home with "~/". */
  files: z.array(z.string().min(1)).max(200).exactOptional(),
});

/** How people hear that they are needed. */
export const notify = z.strictObject({
  /** Of the terminal in which a run is watched. Absent: bell. */
  terminal: z.enum(['bell', 'osc', 'off']).exactOptional(),
  /** By the desktop's own messages, where there are any. */
  desktop: z.boolean().exactOptional(),
  /** Where a message is posted to; signed where DOCKET_NOTIFY_SECRET is set. */
  webhook: z.url({ protocol: /^https?$/ }).exactOptional(),
  /** In the group that the board's chat serves. */
  chat: z.boolean().exactOptional(),
  /** What happens within this time is told together. Absent: 60. */
  digestSeconds: z.number().min(0).max(86_400).exactOptional(),
  /** The same thing again is not told within this time. Absent: 3600. */
  coolDownSeconds: z.number().min(0).max(31_536_000).exactOptional(),
});

export function knownNotifyKeys(at: readonly PropertyKey[]): string[] {
  return Object.keys((at[0] === 'secrets' ? secrets : notify).shape);
}
