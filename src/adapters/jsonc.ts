import { fieldsIn } from './pick.ts';

/** JSON as people write it in settings: with comments and commas too many. Throws what JSON.parse throws. */
export function parseJsonc(text: string): Record<string, unknown> {
  // Strings come first in each pattern, so that nothing inside one is taken for a comment or a comma.
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (match) =>
    match.startsWith('"') ? match : ' ',
  );
  const clean = bare.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (match) =>
    match.startsWith('"') ? match : '',
  );
  const value: unknown = JSON.parse(clean);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object');
  return { ...value };
}

/** Objects are joined key by key; anything else in `over` replaces what was there. */
export function overlay(under: unknown, over: unknown): unknown {
  if (!isPlain(under) || !isPlain(over)) return over;
  const joined: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    // `__proto__` from a hostile file must stay a plain key.
    const joint = overlay(Object.hasOwn(under, key) ? under[key] : undefined, value);
    Object.defineProperty(joined, key, {
      value: joint,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return joined;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return fieldsIn(value) === value && !Array.isArray(value);
}
