import { z } from 'zod';
import { tags } from '../intent.ts';
import { mostSpawns } from '../protocol-file.ts';
import { knownIntents } from '../protocol.ts';

const maybe = <T extends z.ZodType>(schema: T) => schema.nullable().optional();
const texts = z.array(z.string().regex(/\S/));
const text = z.string().min(1);
const messageTypes = z.array(z.enum(tags)).describe('What may be recorded and told.');

/** `docs/protocol-config.json` of a board as it may be written. */
export const protocolSchema = z.strictObject({
  $schema: maybe(text),
  version: maybe(z.literal(1)),
  messageTypes: maybe(messageTypes),
  intents: maybe(
    z
      .array(z.enum(knownIntents))
      .describe(
        "Commands that are allowed. A list without docket's own words allows those by what they stand on.",
      ),
  ),
  routing: maybe(
    z.strictObject({
      directOverridePrefix: maybe(z.string().regex(/^[^\p{L}\p{N}\s]$/u)),
      metadataOnly: maybe(z.boolean()),
    }),
  ),
  protocol: maybe(
    z.strictObject({
      messageTypes: maybe(messageTypes),
      allowDirectAgentOverride: maybe(z.boolean().describe('"@agent" in front of a command.')),
    }),
  ),
  agents: maybe(texts.describe('Who may be given work; empty: anybody.')),
  broadcasters: maybe(texts.describe('Who may speak to the group.')),
  orchestrator: maybe(
    z.strictObject({
      maxConcurrentSpawns: maybe(z.int().min(1).max(mostSpawns).describe('Workers at the same time.')),
    }),
  ),
  channel: maybe(
    z.strictObject({
      provider: maybe(z.enum(['feishu', 'webhook'])),
      groupId: maybe(text),
      milestoneOnly: maybe(z.boolean().describe('The group hears of milestones only.')),
    }),
  ),
  projectId: maybe(text),
});
