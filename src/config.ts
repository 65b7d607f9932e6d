import type { Document } from 'yaml';
import { DocketError } from './errors.ts';
import { nearest } from './errors/nearest.ts';

/** `.docket/config.yaml`: what it holds when nobody has written one. */
export const defaultConfig = {
  /** durable: an acknowledged command survives power loss. relaxed: it survives a crash; power loss costs a second. */
  durability: 'durable' as 'durable' | 'relaxed',
  /** How long a command waits for other docket processes before it gives up with exit code 75. */
  lockWaitSeconds: 10,
};
export type Config = typeof defaultConfig;

/** Parsed only when there is a file: the libraries it takes cost more than most commands. */
export async function parseConfig(text: string, path: string): Promise<Config> {
  const [{ parseDocument, LineCounter }, { configSchema }] = await Promise.all([
    import('yaml'),
    import('./config/schema.ts'),
  ]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const where = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { path, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const [broken] = document.errors;
  if (broken) throw wrong(where(broken.pos[0]), broken.message.split('\n')[0] ?? '', 'mend the YAML');
  const parsed = configSchema.safeParse(document.toJS() ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const known = Object.keys(defaultConfig);
    const guess = nearest(key, known);
    const fix = guess === undefined ? `known keys: ${known.join(', ')}` : `did you mean "${guess}"?`;
    throw wrong(where(offsetOf(document, [...issue.path, key])), `unknown key "${key}"`, fix);
  }
  const at = issue?.path ?? [];
  throw wrong(
    where(offsetOf(document, at)),
    `${at.join('.')}: ${issue?.message ?? 'invalid'}`,
    'see docs/config.md',
  );
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
  return node?.range?.[0] ?? 0;
}

function wrong(
  at: { path: string; line: number; column: number },
  message: string,
  fix: string,
): DocketError {
  return new DocketError('INVALID', `${at.path}:${at.line}:${at.column}: ${message}`, fix, at);
}
