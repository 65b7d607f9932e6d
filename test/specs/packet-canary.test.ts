import { expect, it } from 'vitest';
import { leaks } from '../support/canaries.ts';
import { PacketProject } from '../support/packet-project.ts';

/** In the environment, in a file of the root, and known by its shape alone. The other layouts: test/project/canary.test.ts */
const values = ['canary-of-the-env-1', 'canary-of-dotenv-2', `ghp_${'c4n4ry3'.repeat(6)}`];

it('no secret of a packet is on disk, what its agents print as it is included', async () => {
  const said = values.join(' ');
  const made = await PacketProject.with('safe_impl', {
    codex_impl: [{ edit: { 'src/app.txt': 'Good day\n' }, say: `done with ${said}`, stderr: `${said}\n` }],
  });
  made.env['DEPLOY_TOKEN'] = values[0] ?? '';
  made.write('.env', `A_SECRET=${values[1]}\n`);
  expect((await made.run()).status).toBe('done');
  expect(leaks(made.root, values, /^\.env$/)).toEqual([]);
});
