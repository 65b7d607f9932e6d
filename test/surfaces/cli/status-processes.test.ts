import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ended, start } from '../../support/child.ts';
import { MixedWorkspace } from '../../support/mixed-workspace.ts';

const bin = fileURLToPath(new URL('../../../bin/docket', import.meta.url));

it('gives the same answer to many at once, of which some are killed', async () => {
  const workspace = new MixedWorkspace();
  await workspace.fill();
  const env = { PATH: process.env['PATH'] ?? '', DOCKET_STATE: path.join(workspace.root, '..state') };
  const args = [bin, 'status', '--json', '--root', workspace.root];
  const run = () => start(process.execPath, args, { env });
  const layouts = (out: string) => (JSON.parse(out) as { layouts: unknown }).layouts;
  const first = await ended(run());
  const children = Array.from({ length: 6 }, run);
  children.forEach((child, at) => {
    if (at % 3 === 0) setTimeout(() => child.kill('SIGKILL'), 60 + 40 * at);
  });
  const all = await Promise.all(children.map((child) => ended(child)));
  const whole = all.filter(({ signal }) => signal === null);
  expect(whole.length).toBeGreaterThanOrEqual(4);
  for (const { out } of whole) expect(layouts(out)).toEqual(layouts(first.out));
  fs.writeFileSync(path.join(workspace.root, '.docket', '.seen.jsonl.docket-tmp'), 'half of a wr');
  expect(layouts((await ended(run())).out)).toEqual((await workspace.uncached()).layouts);
});
