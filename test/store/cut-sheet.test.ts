import { describe, expect, it } from 'vitest';
import { queueLayout as queue } from '../../src/kinds/queue/format/layout.ts';
import { cutAfter, cutOf } from '../../src/store/file/cut-sheet.ts';

const file = `# ours
tasks:
  # the first
  - name: one
    status: pending

  - name: two # twice
    status: pending
  - name: two
    status: pending
# the end
other: 1
`;

/** The file with other texts at some places, cut with what was known before. */
function changed(texts: Readonly<Record<number, string>>, text = file) {
  const cut = cutOf(Buffer.from(text), text, queue);
  const kept = cut.sheet.entries.map((entry, at) =>
    texts[at] === undefined ? entry : { ...entry, text: texts[at] },
  );
  const next = queue.join({ ...cut.sheet, entries: kept });
  return { after: cutAfter(cut, next, kept, queue), anew: cutOf(Buffer.from(next), next, queue) };
}

const running = '    status: running\n    started_at: now\n';

describe('a file that was cut before', () => {
  it.each([
    { 1: `  - name: two # twice\n${running}` },
    { 0: `  # the first\n  - name: one\n${running}\n` },
    { 0: '  - {name: one, status: done}\n', 2: `  - name: two\n${running}` },
  ])('is known after a patch as if it were cut anew (%j)', (texts) => {
    const { after, anew } = changed(texts);
    expect(after).toEqual(anew);
    expect(after?.sheet.entries).toHaveLength(3);
  });

  it.each([
    ['another name', { 1: `  - name: three\n${running}` }, file],
    ['two for one', { 1: `  - name: two\n${running}  - name: four\n` }, file],
    ['a remark that is the next one’s', { 1: `  - name: two\n${running}  # the third\n` }, file],
    ['blank lines at the end', { 2: `  - name: two\n${running}\n` }, file],
    ['a list in brackets', { 0: '{name: one, status: done}' }, 'tasks: [{name: one}]\n'],
  ])('is cut anew where the patch leaves %s', (_, texts, text) => {
    expect(changed(texts, text).after).toBeUndefined();
  });
});
