import { deliverySchema } from '../../../app/schemas.ts';
import * as json from '../json.ts';

export const delivery = json.named(
  'delivery',
  deliverySchema,
  'Where finished work has gone; failed: a person must act, though the task is done.',
);
