import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Project } from '../../support/project.ts';
import { inFolder } from '../../surfaces/cli/real-world.ts';

const play = { adapter: 'script', command: ['./play.yaml'] };

/** A packet of two stages of codex, where the PATH has no codex. */
async function packet(agents: object) {
  const project = new Project({ agents, defaultAgent: 'mine' });
  fs.mkdirSync(path.join(project.root, 'configs/pipeline'), { recursive: true });
  project.write(
    'configs/pipeline/impl-pipeline.yaml',
    'profiles: {two: {stages: [codex_impl, codex_verify]}}\n',
  );
  const env = { ...project.env, PATH: '/nowhere' };
  const docket = (...words: string[]) => inFolder(project.root, ['packet', ...words], { env });
  await docket('new', '--id', 'p', '--goal', 'Do it', '--intent', 'two');
  return docket;
}

it('a tool that is not there is the packet’s, and who could play it is named', async () => {
  const docket = await packet({ mine: play });
  const { code, stderr } = await docket('run', 'p');
  expect(code).toBe(2);
  expect(stderr).toContain('.tmp/task/p/manifest.yaml the agent codex, for codex_impl, codex_verify: ');
  expect(stderr).toContain('agents: { codex: { adapter: script, command: ["./play.yaml"] } }');
});

it('a dry run names who plays a tool, not the models of the tool', async () => {
  const docket = await packet({ mine: play, codex: play });
  const { stdout } = await docket('run', 'p', '--dry-run');
  expect(stdout).toContain('codex_impl    script (plays codex)');
  expect(stdout).not.toContain('gpt');
});
