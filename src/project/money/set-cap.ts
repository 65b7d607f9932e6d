import path from 'node:path';
import type { Document } from 'yaml';
import { DocketError, messageOf } from '../../errors.ts';
import { makeDir, readBytes, replaceFile } from '../../io/files.ts';
import { same } from '../../schema/json.ts';
import { units } from '../../task/caps.ts';
import type { Json } from '../../task/json.ts';

const scopes = ['attempt', 'step', 'run', 'task', 'day'];

/** Writes a cap into settings, and leaves every other line of them as people wrote it. */
export async function setCap(file: string, key: string, value: number | null): Promise<void> {
  const at = placeOf(key);
  const [{ parseDocument }, { parseConfig }, { setIn }] = await Promise.all([
    import('yaml'),
    import('../../settings/config.ts'),
    import('../../schema/yaml/edit.ts'),
  ]);
  const text = readBytes(file)?.toString('utf8') ?? '';
  await parseConfig(text, file); // what is broken is told with its place, and not made worse
  const document = parseDocument(text);
  if (value === null && isAbsent(document, at)) return;
  try {
    if (value === null) take(document, at);
    else document.setIn(at, value);
  } catch (error) {
    const message = `${file}: ${key} cannot be set, because part of it is an alias (${messageOf(error)})`;
    throw new DocketError('INVALID', message, 'write it out there, and try again', { path: file, key });
  }
  const spliced = setIn(text, at, value ?? undefined);
  // Where splicing does not give what was asked for, the library writes all of it anew.
  const isMeant = spliced !== undefined && same(valueOf(parseDocument(spliced)), valueOf(document));
  const after = isMeant ? spliced : document.toString({ lineWidth: 0 });
  await parseConfig(after, file);
  makeDir(path.dirname(file));
  replaceFile(file, after, { sync: true });
}

/** With the mappings that it leaves empty. */
function take(document: Document, at: readonly string[]): void {
  for (let depth = at.length; depth > 0; depth -= 1) {
    document.deleteIn(at.slice(0, depth));
    const outer: unknown = document.getIn(at.slice(0, depth - 1));
    if (typeof outer !== 'object' || outer === null || !('items' in outer)) return;
    if ((outer.items as readonly unknown[]).length > 0) return;
  }
}

function isAbsent(document: Document, at: readonly string[]): boolean {
  const inner = (value: unknown, key: string) => (value as Record<string, unknown> | undefined)?.[key];
  return at.reduce<unknown>(inner, valueOf(document)) === undefined;
}

function valueOf(document: Document): Json {
  return (document.toJS() as Json) ?? {};
}

function placeOf(key: string): string[] {
  const words = key.replace(/^budgets\./, '').split('.');
  const unit = words.at(-1) ?? '';
  const scope = words.slice(0, -1);
  const [first = ''] = scope;
  const isKnown = scope.length === 1 ? scopes.includes(first) : first === 'providers' && scope.length > 1;
  if (isKnown && units.some((one) => one === unit))
    return ['budgets', first, ...(first === 'providers' ? [scope.slice(1).join('.')] : []), unit];
  throw new DocketError(
    'INVALID',
    `"${key}" is no cap`,
    `write SCOPE.UNIT: ${scopes.join(', ')} or providers.NAME, and ${units.join(', ')} (day.money, providers.claude.calls)`,
    { key },
  );
}
