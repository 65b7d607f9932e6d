import { readManifest, type Manifest } from '../../../../src/kinds/packet/format/manifest.ts';

/** Every required field of the format's table, and nothing else. */
export const minimal = `task_id: 20260218-001
goal: Reject empty names
routing:
  intent: safe_impl
scope:
  allow: [src/, tests/]
  deny: [.env]
acceptance:
  commands: [npm test]
  criteria: [An empty name is an error]
budgets:
  retry_budget: 2
  paid_call_budget: 10
  max_wallclock_sec: 900
context:
  digest_policy: auto
`;

export function manifestIn(text: string): Manifest {
  const read = readManifest(text);
  if ('wrongs' in read) throw new Error(JSON.stringify(read.wrongs, null, 2));
  return read.manifest;
}

/** `line:column message`, one for each problem. */
export function wrongsIn(text: string): string[] {
  const read = readManifest(text);
  return 'wrongs' in read
    ? read.wrongs.map(({ line, column, message }) => `${line}:${column} ${message}`)
    : [];
}

export function fixesIn(text: string): string[] {
  const read = readManifest(text);
  return 'wrongs' in read ? read.wrongs.map(({ fix }) => fix) : [];
}
