import { publishedSchema } from '../../../schema/json-schema.ts';
import { policySchema } from './policy-file.ts';
import { protocolSchema } from './protocol.ts';

const files = {
  'acceptance-policy': { title: 'config/acceptance-policy.json of a board', schema: policySchema },
  'protocol-config': { title: 'docs/protocol-config.json of a board', schema: protocolSchema },
};

/** The published schemas by file name: `schemas/` holds exactly these, and a test holds it to them. */
export function boardJsonSchemas() {
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => [
      `${name}.schema.json`,
      publishedSchema({ name, ...file, mayBeEmpty: true }),
    ]),
  );
}
