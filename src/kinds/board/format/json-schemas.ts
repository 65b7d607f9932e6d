import { z } from 'zod';
import { policySchema } from './schemas/policy.ts';
import { protocolSchema } from './schemas/protocol.ts';

const files: Readonly<Record<string, { title: string; schema: z.ZodType }>> = {
  'acceptance-policy': { title: 'config/acceptance-policy.json of a board', schema: policySchema },
  'protocol-config': { title: 'docs/protocol-config.json of a board', schema: protocolSchema },
};

/** The published schemas by file name: `schemas/` holds exactly these, and a test holds it to them. */
export function boardJsonSchemas(): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(files).map(([name, { title, schema }]) => {
      const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
      return [`${name}.schema.json`, { $schema, $id: `urn:docket:schema:${name}`, title, ...rest }];
    }),
  );
}
