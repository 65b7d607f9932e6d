import { z } from 'zod';
import { defaultConfig } from '../config.ts';

/** An unknown key is an error: a typo must not pass for a setting. */
export const configSchema = z.strictObject({
  durability: z.enum(['durable', 'relaxed']).default(defaultConfig.durability),
  lockWaitSeconds: z.number().min(0).max(3600).default(defaultConfig.lockWaitSeconds),
});
