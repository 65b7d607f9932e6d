import { createRequire } from 'node:module';
import type * as Library from 'yaml';

type Yaml = typeof Library;

let loaded: Yaml | undefined;

/**
 * The yaml library, on first use. It takes some 77 ms to load, and listing, adding and claiming need none of it.
 * The layout is synchronous, so `import()` will not do; `createRequire` loads the library's CommonJS build, which is
 * also what an `import` of it gets in Node. Nothing else here may use `node:module`.
 */
export function yaml(): Yaml {
  return (loaded ??= createRequire(import.meta.url)('yaml') as Yaml);
}
