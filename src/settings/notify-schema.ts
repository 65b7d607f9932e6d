import * as v from 'valibot';
import { amount, hints, keys, list, maybe, text, variable } from '../schema/schemas.ts';

/** What holds secrets, beside what is known by its name. */
export const secrets = keys({
  env: maybe(list(variable, 200), "Variables of docket's own environment."),
  files: maybe(
    list(text, 200),
    'Files that hold nothing else: NAME=value, JSON, or a key. From the root, or from your home with "~/".',
  ),
});

/** How people hear that they are needed. */
export const notify = keys({
  terminal: maybe(
    v.picklist(['bell', 'osc', 'off']),
    'Of the terminal in which a run is watched. Absent: bell.',
  ),
  desktop: maybe(v.boolean(), "By the desktop's own messages, where there are any."),
  webhook: maybe(
    v.pipe(
      v.string(),
      v.url(),
      v.regex(/^https?:/i),
      hints({ fix: 'Write an address that begins with https:// or http://.' }),
    ),
    'Where a message is posted to; signed where DOCKET_NOTIFY_SECRET is set.',
  ),
  chat: maybe(v.boolean(), "In the group that the board's chat serves."),
  digestSeconds: maybe(amount(86_400), 'What happens within this time is told together. Absent: 60.'),
  coolDownSeconds: maybe(
    amount(31_536_000),
    'The same thing again is not told within this time. Absent: 3600.',
  ),
});
