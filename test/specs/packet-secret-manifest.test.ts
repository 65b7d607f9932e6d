import { expect, it } from 'vitest';
import { PacketProject } from '../support/packet-project.ts';

const key = `sk-proj-${'a1B2'.repeat(8)}`;

it.each([
  ['a key in the goal', (text: string) => text.replace('Greet politely', `Greet ${key}`), 4],
  [
    'a password in a command',
    (text: string) => text.replace('grep -q day', 'PASSWORD=hunter22 grep -q day'),
    26,
  ],
  [
    'a value of the environment',
    (text: string) => text.replace('It is polite', 'It is a-known-value-of-mine'),
    29,
  ],
  [
    'what a pattern of its own finds',
    (text: string) =>
      text
        .replace('Greet politely', 'Greet CANARY-77')
        .replace('redaction_patterns: []', "redaction_patterns: ['CANARY-\\d+', 'password=\\S+']"),
    4,
  ],
  ['a comment', (text: string) => `${text}# ${key}\n`, 51],
])(
  'a manifest with a secret is refused with its line, and nothing of it is written: %s',
  async (_, change, line) => {
    const project = await PacketProject.with('review_only');
    project.env['MY_TOKEN'] = 'a-known-value-of-mine';
    project.edit('manifest.yaml', change);
    const lines = project.text('manifest.yaml').split('\n');
    const said = `manifest.yaml:${line} holds what looks like a secret`;
    expect(lines[line - 1]).toMatch(/sk-proj|hunter22|a-known|CANARY/);
    await expect(project.run()).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringContaining(said),
    });
    const findings = await (await project.packets()).validate('p-1');
    expect(findings).toMatchObject([{ severity: 'error', line }]);
    expect(project.has('state/docket/journal.jsonl')).toBe(false);
    expect(project.called()).toEqual([]);
  },
);

it('a pattern may look like a secret, and a command may name a variable', async () => {
  const project = await PacketProject.with('review_only', {}, { commands: ['API_KEY=$TEST_KEY npm test'] });
  project.edit('manifest.yaml', (text) =>
    text.replace(
      'redaction_patterns: []',
      `redaction_patterns:\n    - 'password=\\S+'\n    - "secret: [a-z]+"\n    - '${key}'`,
    ),
  );
  expect((await project.run()).status).toBe('done');
});
