// What else the package is made of: programs that docket starts beside itself, each as one file in its own place, and the
// types that a program which imports docket can reach: `dist/types/`. The modules themselves need not travel.
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const programs = ['adapters/script/agent.js', 'engine/mask-output.js', 'io/network/forward.js'];

export async function bundlePrograms(dist) {
  for (const name of programs) {
    const file = join(dist, name);
    const external = (id) => !id.startsWith('.') && !isAbsolute(id);
    const bundle = await rolldown({ input: file, platform: 'node', external, logLevel: 'warn' });
    await bundle.write({ file, format: 'esm', codeSplitting: false });
    await bundle.close();
  }
}

export function copyTypes(dist) {
  const types = join(dist, 'types');
  rmSync(types, { recursive: true, force: true });
  const open = [join(dist, 'index.d.ts')];
  const seen = new Set(open);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const copy = join(types, relative(dist, file));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(file, copy);
    const text = readFileSync(file, 'utf8');
    for (const [, name] of text.matchAll(/(?:from |import\()["'](\.[^"']+)\.ts["']/g)) {
      const next = resolve(dirname(file), `${name}.d.ts`);
      if (!seen.has(next)) open.push(next);
      seen.add(next);
    }
  }
}
