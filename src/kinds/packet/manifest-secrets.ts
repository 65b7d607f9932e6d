import { DocketError } from '../../errors.ts';
import type { Redactor } from './redactor.ts';

/**
 * What a manifest says goes into the journal, the summary and every copy of the packet, and it has to stay what it is:
 * the commands in it are run. So one that holds a secret is not taken at all.
 */
export async function assertNoSecrets(file: string, manifest: string, redactor: Redactor): Promise<void> {
  const text = withoutPatterns(manifest);
  const masked = (await redactor.redact(text)).split('\n');
  const lines = text.split('\n').flatMap((said, at) => (said === masked[at] ? [] : [at + 1]));
  const [line] = lines;
  if (line === undefined) return;
  throw new DocketError(
    'INVALID',
    `${file}:${line} holds what looks like a secret`,
    'put it into an environment variable and write $NAME in its place, or word it differently',
    { path: file, lines },
  );
}

/** A pattern for secrets may look like one. Lines stay where they are. */
function withoutPatterns(text: string): string {
  let depth: number | undefined;
  return text
    .split('\n')
    .map((line) => {
      const [indent = ''] = /^ */.exec(line) ?? [];
      const goesOn = depth !== undefined && (indent.length > depth || /^ *(?:-|#|\]|$)/.test(line));
      if (/^ *redaction_patterns *:/.test(line)) depth = indent.length;
      else if (!goesOn) depth = undefined;
      return depth === undefined ? line : '';
    })
    .join('\n');
}
