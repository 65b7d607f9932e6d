import { DocketError } from '../../errors.ts';

const dayMs = 86_400_000;

/** A day as it is written, or so many days ago. */
export function sinceDay(text: string | undefined, now: number): string | undefined {
  if (text === undefined || /^\d{4}-\d\d-\d\d$/.test(text)) return text;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days === undefined)
    throw new DocketError(
      'USAGE',
      `--since ${text} is no day`,
      'write 2026-01-31, or 7d for the last seven days',
      {
        value: text,
      },
    );
  const time = new Date(now - (Number(days) - 1) * dayMs);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
