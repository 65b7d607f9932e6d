import { keys, unless } from '../../../schema/mapping.ts';
import { count, text, word, yesNo, type Rule } from '../../../schema/rule.ts';
import { tags } from './intent.ts';
import { readJsonFile, words, type JsonFile, type JsonRead } from './json-file.ts';
import { knownIntents, shippedProtocol, type Protocol } from './protocol.ts';

export type { Protocol } from './protocol.ts';

const prefix = unless(
  text(),
  (mark) => (/^[^\p{L}\p{N}\s]$/u.test(mark) ? undefined : 'must be one mark, no letter and no digit'),
  'Write "@".',
);
export const mostSpawns = 100;

/** `docs/protocol-config.json`: any of its keys. `protocol` is where the plugin's own settings have some of them. */
const fileRule = keys(
  {},
  {
    $schema: text(),
    version: count(1, 1, 1),
    messageTypes: words(tags),
    intents: words(knownIntents),
    routing: keys({}, { directOverridePrefix: prefix, metadataOnly: yesNo(true) }),
    protocol: keys({}, { messageTypes: words(tags), allowDirectAgentOverride: yesNo(true) }),
    agents: words(),
    broadcasters: words(),
    orchestrator: keys({}, { maxConcurrentSpawns: count(1, mostSpawns, 3) }),
    channel: keys({}, { provider: word(['feishu', 'webhook']), groupId: text(), milestoneOnly: yesNo(true) }),
    projectId: text(),
  },
);
type ProtocolFile = typeof fileRule extends Rule<infer T> ? T : never;

export function readProtocol(file: JsonFile): JsonRead<ProtocolFile> {
  return readJsonFile(file, fileRule);
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
