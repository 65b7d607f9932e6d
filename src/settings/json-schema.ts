import { publishedSchema } from '../schema/json-schema.ts';
import { configSchema } from './schema.ts';

/** The settings file as a JSON schema, for editors. `schemas/config.schema.json` is this; a test holds it to it. */
export const configJsonSchema = () =>
  publishedSchema({
    name: 'config',
    title: 'docket: .docket/config.yaml',
    description: 'Settings of a project, or of a user in ~/.config/docket/config.yaml. See docs/config.md.',
    schema: configSchema,
  });
