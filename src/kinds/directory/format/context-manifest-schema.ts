import * as v from 'valibot';
import { described, openKeys, text } from '../../../schema/schemas.ts';
import { inside } from './schema-parts.ts';

/** shared/context-manifest.yaml: what every agent of the task is given. */
export const contextManifestSchema = openKeys({
  attachments: v.nullish(
    v.array(
      openKeys({
        id: text,
        kind: v.picklist(['file', 'snippet']),
        path: described(v.pipe(inside, v.nonEmpty()), 'From the root.'),
        range: v.nullish(
          described(
            v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}:[1-9]\d{0,8}$/)),
            'The first and the last line, as in "10:20".',
          ),
        ),
        reason: v.nullish(described(v.string(), 'What the agents should look at it for.')),
      }),
    ),
  ),
});
