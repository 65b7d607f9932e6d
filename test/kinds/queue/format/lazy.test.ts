import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { queueLayout as queue } from '../../../../src/kinds/queue/format/layout.ts';
import type { Task } from '../../../../src/task/schema.ts';

/** This file must not import anything that loads yaml by itself. */
const loaded = (): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some((file) => /node_modules[\\/]yaml[\\/]/.test(file));
const time = '2026-02-01T00:00:00.000Z';

describe('start-up', () => {
  it('loads yaml for the first entry that is parsed, and not before', () => {
    const task: Task = {
      id: 'a',
      rev: 1,
      title: 't',
      status: 'queued',
      spec: { body: 'b' },
      priority: 0,
      needs: [],
      createdAt: time,
      createdBy: 'cli',
      updatedAt: time,
      queuedAt: time,
      extras: {},
    };
    const sheet = queue.split('# c\ntasks:\n  - name: "a"\n');
    const fields = queue.describe(task) ?? {};
    queue.join({ ...sheet, entries: [{ ref: queue.ref(task), text: queue.render(fields, sheet), line: 0 }] });
    queue.companions(task);
    expect(loaded()).toBe(false);
    queue.parse(sheet.entries[0]!);
    expect(loaded()).toBe(true);
  });

  it('has no module that loads yaml or zod by import', () => {
    const folder = new URL('../../../../src/kinds/queue/format/', import.meta.url);
    const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const imports = sources.flatMap((source) => source.match(/^import .*$/gm) ?? []);
    const heavy = imports.filter((line) => /'(yaml|zod)'|task\/schema/.test(line));
    expect(heavy.filter((line) => !line.startsWith('import type '))).toEqual([]);
  });
});
