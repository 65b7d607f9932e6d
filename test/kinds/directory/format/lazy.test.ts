import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Every file that loading this one loads, with the packages that it imports as values. */
function loadedBy(file: URL, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(file.href)) return seen;
  const imports = [
    ...readFileSync(file, 'utf8').matchAll(/^(?:import|export)(?! type)[^;]*? from '([^']+)';/gm),
  ];
  const names = imports.map(([, name = '']) => name);
  seen.set(
    file.href,
    names.filter((name) => !name.startsWith('.')),
  );
  for (const name of names) if (name.startsWith('.')) loadedBy(new URL(name, file), seen);
  return seen;
}

it.each(['derived', 'log'])('%s.ts loads neither zod nor yaml: every list and show needs it', (name) => {
  const loaded = loadedBy(new URL(`../../../../src/kinds/directory/format/${name}.ts`, import.meta.url));
  expect(loaded.size).toBeGreaterThan(3);
  const heavy = [...loaded].filter(([, names]) => names.includes('zod') || names.includes('yaml'));
  expect(heavy.map(([file]) => file)).toEqual([]);
});
