import fs from 'node:fs';
import path from 'node:path';
import type { Place } from '../errors/place.ts';

/** A line that is tried, and what of it matters to the next ones. */
export interface Line {
  readonly line: string;
  /** The exit code; else 0. */
  readonly code?: number;
  readonly env?: Record<string, string>;
  /** Its answer's id is `{name}` from here on; or what this field of it has. */
  readonly keeps?: string | { readonly name: string; readonly field: string };
  /** It is told to stop when it has printed this. */
  readonly until?: string;
}

/** Lines of one place, one after the other: what they print with --json is held to what is published. */
export interface Story {
  readonly title: string;
  readonly make: (place: Place) => Promise<void> | void;
  readonly lines: readonly (string | Line)[];
}

/** A repository with an agent of a few lines of shell, which asks where the task says ASK, until it hears 8080. */
export function withAgent(place: Place, more = ''): void {
  place.write(
    'agent.sh',
    `#!/bin/sh
words=$(cat)
case "$words" in
  *8080*) echo '{"status":"success","summary":"It is 8080."}' ;;
  *ASK*) echo '{"status":"blocked","summary":"I have to know.","questions":["Which port?"]}' ;;
  *) echo more >> work.txt
     echo '{"status":"success","summary":"It is done.","changes":["work.txt"]}' ;;
esac
`,
  );
  fs.chmodSync(path.join(place.root, 'agent.sh'), 0o755);
  place.repository();
  place.write(
    '.docket/config.yaml',
    `agents:\n  sh: { adapter: command, command: [./agent.sh] }\n${more}defaultAgent: sh\n`,
  );
}

/** A program that docket finds there first. */
export function onPath(place: Place, name: string, script: string): void {
  const bin = path.join(place.dir, 'bin');
  const before = process.env['PATH'] ?? '';
  fs.mkdirSync(bin, { recursive: true });
  fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  process.env['PATH'] = `${bin}:${before}`;
  place.atEnd(() => (process.env['PATH'] = before));
}
