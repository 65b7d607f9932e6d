import * as v from 'valibot';
import { hints, keys, maybe, nonBlank, text, whole } from '../../../schema/schemas.ts';
import { tags } from './intent.ts';
import { readJsonFile, type JsonFile, type JsonRead } from './json-file.ts';
import { knownIntents, shippedProtocol, type Protocol } from './protocol.ts';

export type { Protocol } from './protocol.ts';

const prefix = v.pipe(
  v.string(),
  v.regex(/^[^\p{L}\p{N}\s]$/u, 'must be one mark, no letter and no digit'),
  hints({ fix: 'Write "@".' }),
);
const messageTypes = maybe(v.array(v.picklist(tags)), 'What may be recorded and told.');

/** `docs/protocol-config.json`: any of its keys. `protocol` is where the plugin's own settings have some of them. */
export const protocolSchema = keys({
  $schema: maybe(text),
  version: maybe(v.literal(1)),
  messageTypes,
  intents: maybe(
    v.array(v.picklist(knownIntents)),
    "Commands that are allowed. A list without docket's own words allows those by what they stand on.",
  ),
  routing: maybe(keys({ directOverridePrefix: maybe(prefix), metadataOnly: maybe(v.boolean()) })),
  protocol: maybe(
    keys({
      messageTypes,
      allowDirectAgentOverride: maybe(v.boolean(), '"@agent" in front of a command.'),
    }),
  ),
  agents: maybe(v.array(nonBlank), 'Who may be given work; empty: anybody.'),
  broadcasters: maybe(v.array(nonBlank), 'Who may speak to the group.'),
  orchestrator: maybe(keys({ maxConcurrentSpawns: maybe(whole(1, 100), 'Workers at the same time.') })),
  channel: maybe(
    keys({
      provider: maybe(v.picklist(['feishu', 'webhook'])),
      groupId: maybe(text),
      milestoneOnly: maybe(v.boolean(), 'The group hears of milestones only.'),
    }),
  ),
  projectId: maybe(text),
});

export function readProtocol(file: JsonFile): JsonRead<v.InferOutput<typeof protocolSchema>> {
  return readJsonFile(file, protocolSchema);
}

/** What the board's file says over what is shipped. A list is replaced, never mixed. */
export function protocolOf(content?: string, file = 'docs/protocol-config.json'): Protocol {
  if (content === undefined) return shippedProtocol;
  const { $schema, version, protocol = {}, ...set } = readProtocol({ file, text: content }).value;
  const { routing, orchestrator, channel } = shippedProtocol;
  return {
    ...shippedProtocol,
    ...protocol,
    ...set,
    routing: { ...routing, ...set.routing },
    orchestrator: { ...orchestrator, ...set.orchestrator },
    channel: { ...channel, ...set.channel },
  };
}
