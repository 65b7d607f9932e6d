import { createHash } from 'node:crypto';
import { processTable } from './table.ts';

/** Set for all that may use leased ports: by it they are known when the docket that leased them is gone. */
const variable = 'LEASED_PORTS';

export function portVariables(
  owner: string,
  ports: Readonly<Record<string, number>>,
): Record<string, string> {
  const named = Object.entries(ports).map(([name, port]) => [name, String(port)]);
  const numbers = Object.values(ports);
  if (numbers.length > 0) named.push([variable, `${keyOf(owner)}:${numbers.join(',')}`]);
  return Object.fromEntries(named) as Record<string, string>;
}

/**
 * Whose processes, of those that run now, were given this port. A lease ends with its docket, and an agent may outlive
 * that.
 */
export function userOf(port: number, owner: string): 'nobody' | 'owner' | 'another' {
  const users = processTable()
    .flatMap((row) => row.values(variable))
    .filter((value) => value.split(/[:,]/).slice(1).includes(String(port)));
  if (users.length === 0) return 'nobody';
  return users.every((value) => value.startsWith(`${keyOf(owner)}:`)) ? 'owner' : 'another';
}

function keyOf(owner: string): string {
  return createHash('sha256').update(owner).digest('hex').slice(0, 16);
}
