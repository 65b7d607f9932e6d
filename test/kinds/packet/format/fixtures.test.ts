import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stats } from '../../../../src/kinds/packet/format/derived.ts';
import { packetLayout as layout } from '../../../../src/kinds/packet/format/layout.ts';
import { objectIn, otherWorkIn, taskWith } from '../../../../src/kinds/packet/format/other-work.ts';
import { PacketLife, safeImpl } from './packet-life.ts';

const folder = new URL('../../../fixtures/packet/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const names = readdirSync(folder);

describe.each(names)('the packet %s as the original leaves it', (name) => {
  const text = read(`${name}/manifest.yaml`);

  it('has a manifest that is read, and written back byte for byte', () => {
    const sheet = layout.split(text);
    expect(layout.join(sheet)).toBe(text);
    const parsed = layout.parse(sheet.entries[0]!);
    if ('wrong' in parsed) throw new Error(parsed.wrong.message);
    const { task } = new PacketLife(text);
    expect(layout.describe(task)).toEqual(parsed.fields);
    expect(layout.patch(sheet.entries[0]!, {})).toBe(text);
  });
});

it.each(['half-done', 'failed', 'done'])(
  'the stats of the packet %s say the same once docket has them',
  (name) => {
    const files = readdirSync(new URL(`${name}/done/`, folder));
    const stages = files.map((file) => file.replace('.done', ''));
    const markers = stages.map((stage) => [stage, read(`${name}/done/${stage}.done`)] as const);
    const metas = stages.map((stage) => {
      const meta = `${name}/outputs/${stage}.${stage.split('_', 1)[0]}.meta.json`;
      return [stage, objectIn(read(meta))] as const;
    });
    const told = objectIn(read(`${name}/state/stats.json`));
    const { task } = new PacketLife(read(`${name}/manifest.yaml`));
    const work = otherWorkIn(
      task,
      { markers: Object.fromEntries(markers), metas: Object.fromEntries(metas), stats: told },
      task.updatedAt,
    )!;
    const steps = safeImpl.map((id) => ({
      id,
      kind: 'work' as const,
      title: id,
      role: 'r',
      agent: 'a',
      needs: [],
    }));
    expect(objectIn(stats(taskWith(task, work, steps, {})))).toEqual(told);
  },
);
