import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { validatePath } from '../../../src/project/check/validate.ts';
import { parseConfig } from '../../../src/settings/config.ts';
import { readConfig } from '../../../src/settings/read-config.ts';
import { scratch } from '../../support/scratch.ts';

function project(files: Record<string, string>): string {
  const root = scratch();
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }
  return root;
}

const taktAgents = 'agents:\n  a: {provider: codex}\n  b: {provider: claude}\n  c: {provider: gemini}\n';

it('are below the settings of docket itself, agent by agent', async () => {
  const root = project({
    '.takt/agents.yaml': taktAgents,
    '.takt/debug.yaml': 'enabled: true\nlevel: warn\n',
    'home/config.yaml': 'agents: {b: {adapter: opencode}}\nworkflow: mine\n',
    '.docket/config.yaml': 'agents: {c: {adapter: copilot}}\nconcurrency: 4\n',
  });
  const config = await readConfig(root, { DOCKET_HOME: path.join(root, 'home') });
  expect(config.agents).toEqual({
    a: { adapter: 'codex' },
    b: { adapter: 'opencode' },
    c: { adapter: 'copilot' },
  });
  expect(config).toMatchObject({ workflow: 'mine', concurrency: 4, debug: { enabled: true, level: 'warn' } });
  expect(
    await readConfig(
      project({ '.docket/config.yaml': 'debug: {enabled: false}\n', '.takt/debug.yaml': 'enabled: true\n' }),
      {},
    ),
  ).toMatchObject({
    debug: { enabled: false },
  });
});

it('never stop docket, and are reported where somebody asks', async () => {
  const root = project({ '.takt/agents.yaml': 'agents: [\n', '.takt/debug.yaml': 'loud: yes\n' });
  expect((await readConfig(root, {})).agents).toEqual({});
  expect(await validatePath(root, {})).toMatchObject([
    { severity: 'warning', path: path.join(root, '.takt/agents.yaml'), line: 2 },
    { severity: 'warning', path: path.join(root, '.takt/debug.yaml'), line: 1 },
  ]);
  fs.rmSync(path.join(root, '.takt/agents.yaml'));
  fs.symlinkSync('/dev/zero', path.join(root, '.takt/agents.yaml'));
  expect((await readConfig(root, {})).agents).toEqual({});
});

it('says where settings nest too deeply, instead of ending the process', async () => {
  await expect(parseConfig(`agents:\n  a: ${'['.repeat(100_000)}`, 'config.yaml')).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringMatching(/^config\.yaml:2:\d+: Too many levels of nesting/),
  });
});
