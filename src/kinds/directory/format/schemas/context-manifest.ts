import { z } from 'zod';
import { inside } from './parts.ts';

/** shared/context-manifest.yaml: what every agent of the task is given. */
export const contextManifestSchema = z.looseObject({
  attachments: z
    .array(
      z.looseObject({
        id: z.string().min(1),
        kind: z.enum(['file', 'snippet']),
        path: inside.min(1).describe('From the root.'),
        range: z
          .string()
          .regex(/^[1-9]\d{0,8}:[1-9]\d{0,8}$/)
          .nullable()
          .optional()
          .describe('The first and the last line, as in "10:20".'),
        reason: z.string().nullable().optional().describe('What the agents should look at it for.'),
      }),
    )
    .nullable()
    .optional(),
});
