import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PacketProject } from '../support/packet-project.ts';

const page = new URL('../../docs/formats/packet.md', import.meta.url);
const programs = fileURLToPath(new URL('../../bin', import.meta.url));

it('the tutorial does what it says, from its own words', () => {
  const [, tutorial = ''] = fs.readFileSync(page, 'utf8').split('## Try it without a model\n');
  const [section = ''] = tutorial.split('\n## ');
  const project = new PacketProject();
  for (const [, name = '', text = ''] of section.matchAll(/```yaml\n# (.+)\n([^]+?)```/g))
    project.put(name, text);
  project.put('src/greeting.txt', 'Hi\n');
  const commands = /```sh\n([^]+?)```/.exec(section)?.[1] ?? '';
  const env = { ...project.env, PATH: `${programs}${path.delimiter}${project.env['PATH']}` };
  const shown = execFileSync('sh', ['-ec', commands], {
    cwd: project.root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(shown).toMatch(/^run +codex_impl[^]*^polite is done$[^]*^status: done$/m);
  expect(project.read('src/greeting.txt')).toBe('Good day\n');
  project.id = 'polite';
  expect(project.text('outputs/codex_verify.artifact.md')).toContain('grep -q day src/greeting.txt');
});
