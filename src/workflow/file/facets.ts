import type { Facet } from '../graph.ts';
import { own } from './fields.ts';
import { kindName, type FacetKind, type Text } from './library.ts';
import type { Ref } from './ref.ts';
import { refsOf, type Compilation, type Scope } from './scope.ts';

const bareName = /^[\p{L}\p{N}_@][\p{L}\p{N}_.@-]{0,99}$/u;
const pathLike = /^[^\s\0]+$/;
const extendsLine = /^[^\S\n]*\{extends:\s*([^{}\n]{1,100}?)\s*\}[^\S\n]*$/gm;
const deepestExtension = 8;
/** Texts that TAKT also takes as one word; an unknown persona, policy or knowledge is more likely a slip. */
const mayBeWords: ReadonlySet<FacetKind> = new Set(['instructions', 'report_formats']);

/** The texts that a reference stands for: a section's entry, a file by its name or path, or the words themselves. */
export function facetsOf(
  all: Compilation,
  scope: Scope,
  kind: FacetKind,
  refs: readonly Ref[] = [],
): Facet[] {
  return refs
    .flatMap((ref) => refsOf(scope, ref))
    .flatMap((one) => facetOf(all, one.scope, kind, one.ref) ?? []);
}

function facetOf(all: Compilation, scope: Scope, kind: FacetKind, ref: Ref): Facet | undefined {
  if (ref.text === '') return undefined; // said already
  const entry = own(scope.file[kind] ?? {}, ref.text);
  if (entry) scope.used.add(`${kind}.${ref.text}`);
  const { text, at } = entry ?? ref;
  const name = entry ? ref.text : text;
  const found = isPath(text)
    ? all.library.file(text, scope.source)
    : bareName.test(text)
      ? all.library.named(kind, text, new Set())
      : { name: kindName[kind], file: '', text };
  if ('missing' in found) {
    if (isPath(text) || found.isNear || !mayBeWords.has(kind)) {
      scope.complain({ path: at, message: found.missing, fix: found.fix });
      return undefined;
    }
    const message = `${found.missing}: the word itself is used as the text`;
    scope.complain({ path: at, severity: 'warning', message, fix: found.fix });
    return { name: kindName[kind], text };
  }
  const whole = found.file === '' ? found.text : extended(all, scope, kind, found, at, [found.file]);
  return { name: found.file === '' ? found.name : roleWord(name), text: whole.trim() };
}

function isPath(text: string): boolean {
  return pathLike.test(text) && (text.includes('/') || /\.(?:md|markdown|txt)$/i.test(text));
}

/** `../personas/coder.md` → `coder` */
export function roleWord(ref: string): string {
  return (ref.split('/').at(-1) ?? '').replace(/\.(?:md|markdown|txt)$/i, '');
}

/** A line `{extends:name}` stands for the text of that name; of its own name, for the one in the next layer. */
function extended(
  all: Compilation,
  scope: Scope,
  kind: FacetKind,
  found: Text,
  at: Ref['at'],
  chain: readonly string[],
): string {
  return found.text.replaceAll(extendsLine, (line, parent: string) => {
    const from = bareName.test(parent) ? all.library.named(kind, parent, new Set(chain)) : undefined;
    if (from && !('missing' in from) && chain.length <= deepestExtension)
      return extended(all, scope, kind, from, at, [...chain, from.file]).trim();
    const why = from && 'missing' in from ? from.missing : `${line.trim()} leads nowhere`;
    scope.complain({
      path: at,
      message: `${found.file}: ${why}`,
      fix: 'Name a text that exists, and no circle of them.',
    });
    return '';
  });
}

/** `{var:name}` of a call; what nobody set is said to be so. */
export function withVars(text: string, vars: Scope['vars']): string {
  return text.replaceAll(/\{var:([\w.-]{1,100})\}/g, (_, name: string) =>
    String(own(vars, name) ?? 'unspecified'),
  );
}
