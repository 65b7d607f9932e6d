import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { agentmeshLayout as layout } from '../../../../../src/kinds/directory/format/layout.ts';
import { newTask } from '../../../../../src/kinds/directory/format/new-task.ts';
import type { Task } from '../../../../../src/task/schema.ts';

const source = new URL('../../../../../src/', import.meta.url);
const entry = new URL('kinds/directory/format/layout.ts', source);

/** All that a module loads when it is imported: packages by name, our own files by address. */
function loads(file: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(file.href)) return seen;
  seen.add(file.href);
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm);
  for (const [, name = ''] of imports) {
    if (name.startsWith('.')) loads(new URL(name, file), seen);
    else seen.add(name);
  }
  return seen;
}

/** This file must not import anything that loads yaml by itself. */
const loaded = (): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some((name) => /node_modules[\\/]yaml[\\/]/.test(name));
const time = '2026-02-01T00:00:00.000Z';

describe('start-up', () => {
  it('loads neither yaml nor zod with the layout, only valibot', () => {
    const names = [...loads(entry)];
    expect(names).toContain(new URL('schema/schemas.ts', source).href);
    expect(names.filter((name) => !name.startsWith('file:') && !name.startsWith('node:'))).toEqual([
      'valibot',
    ]);
  });

  it('loads yaml for the first file that is parsed, and not before', () => {
    const task: Task = {
      id: 'a',
      rev: 1,
      status: 'queued',
      priority: 0,
      needs: [],
      createdAt: time,
      createdBy: 'cli',
      updatedAt: time,
      queuedAt: time,
      ...newTask({ title: 'T', topology: 'swarm' }),
    };
    const sheet = layout.split('');
    const text = layout.render(layout.describe(task) ?? {}, sheet);
    const [made] = layout.split(text).entries;
    layout.companions(task);
    expect(loaded()).toBe(false);
    expect(made && layout.parse(made)).toEqual({ fields: layout.describe(task) });
    expect(loaded()).toBe(true);
  });
});
