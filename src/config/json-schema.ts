import { z } from 'zod';
import { configSchema } from './schema.ts';

/** The settings file as a JSON schema, for editors. `schemas/config.schema.json` is this; a test holds it to it. */
export function configJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(configSchema, { io: 'input' });
  return {
    $schema,
    title: 'docket: .docket/config.yaml',
    description: 'Settings of a project, or of a user in ~/.config/docket/config.yaml. See docs/config.md.',
    ...rest,
  };
}
