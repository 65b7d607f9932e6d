import { DocketError } from '../../errors.ts';
import type { Spec } from '../../task/schema.ts';
import type { Args } from './parse.ts';

const units = ['calls', 'tokens', 'money', 'seconds'] as const;

/** `--budget money=5,calls=20`: what one task may use. */
export function capsIn({ options }: Args): NonNullable<Spec['budget']> | undefined {
  const given = options.get('budget');
  if (given === undefined) return undefined;
  return Object.fromEntries(
    given.map((text) => {
      const [name = '', value = ''] = text.split('=');
      const unit = units.find((one) => one === name);
      const number = Number(value);
      const whole = unit !== 'calls' && unit !== 'tokens' ? true : Number.isInteger(number);
      if (unit && value.trim() !== '' && number > 0 && Number.isFinite(number) && whole)
        return [unit, number];
      throw new DocketError(
        'USAGE',
        `--budget ${text} is no cap`,
        `write UNIT=NUMBER with ${units.join(', ')}: --budget money=5,calls=20`,
        { value: text },
      );
    }),
  );
}
