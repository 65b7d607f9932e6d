import { DocketError } from '../errors.ts';
import type { SettingOptions } from './setting-plan.ts';

/** What the task's agents and commands get beside the usual. */
export function variablesOf(
  { plan, env }: Pick<SettingOptions, 'plan' | 'env'>,
  leased: Readonly<Record<string, string | number>>,
): Record<string, string> {
  const own = Object.entries(plan.env).map(([name, value]) => [name, valueOf(name, value, env)]);
  const ports = Object.entries(leased).map(([name, port]) => [name, String(port)]);
  return Object.fromEntries([...own, ...Object.entries(plan.caches), ...ports]) as Record<string, string>;
}

function valueOf(name: string, value: string, env: SettingOptions['env']): string {
  const from = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1];
  if (from === undefined) return value;
  const found = env[from];
  if (found !== undefined) return found;
  const message = `setup.env.${name} takes its value from $${from}, which is not set`;
  throw new DocketError('INVALID', message, `export ${from}, or write the value itself`, { name: from });
}
