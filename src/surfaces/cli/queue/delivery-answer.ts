import { deliverySchema } from '../../../project/schemas.ts';
import * as json from '../frame/json.ts';

export const delivery = json.named(
  'delivery',
  deliverySchema,
  'Where finished work has gone; failed: a person must act, though the task is done.',
);
