/** Why a path from outside is not one inside the root, as far as its words tell; links are looked at when it is used. */
export function outsideBecause(path: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- a NUL ends a path early, the others have no business in one
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'holds a control character';
  if (path.length > 1024) return 'is longer than 1024 characters';
  if (/^(?:[/\\]|[A-Za-z]:)/.test(path)) return 'is absolute';
  if (path.split(/[/\\]/).includes('..')) return 'climbs with ".."';
  return undefined;
}
