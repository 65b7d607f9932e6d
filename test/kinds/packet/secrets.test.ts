import { expect, it } from 'vitest';
import { canaries, customPattern, knownSecret, leaks, valuesIn } from '../../support/canaries.ts';
import { answers } from '../../support/packet-agent.ts';
import { PacketProject, polite, type Scenario } from '../../support/packet-project.ts';

/** What people wrote themselves stays as they wrote it. */
const peoples = /^(?:manifest\.yaml|inputs\/user_request\.md|inputs\/attachments\/)/;
const allPlaces = ['request', 'context', 'attachment', 'log', 'stdout', 'stderr', 'file', 'patch', 'message'];
const all = allPlaces.flatMap((place) => canaries(place).values);
const of = (place: string) => canaries(place).text;

async function project(scenario: Scenario, commands: string[] = []): Promise<PacketProject> {
  const made = await PacketProject.with('safe_impl', scenario, { request: of('request'), commands });
  made.env[knownSecret.name] = knownSecret.value;
  made.edit('inputs/context_pack.md', () => of('context'));
  made.edit('inputs/attachments/notes.md', () => of('attachment'));
  made.edit('inputs/attachments/build.log', () => of('log'));
  made.edit('manifest.yaml', (text) =>
    text.replace('redaction_patterns: []', `redaction_patterns: [${JSON.stringify(customPattern)}]`),
  );
  return made;
}

function found(made: PacketProject): string[] {
  const told = made
    .calls()
    .flatMap(({ stage, prompt }) => valuesIn(prompt, all).map((value) => `${stage}: ${value}`));
  return [...leaks(made.dir, all, peoples), ...told];
}

it('keeps no secret of the inputs, the agents, the work and the commands', async () => {
  const command = 'test -e src/app.txt # ACME-stdout-42';
  const made = await project(
    {
      gemini_brief: [
        {
          stderr: of('stderr'),
          say: answers.brief
            .replace('## Verify Commands\n', `$&\n\`\`\`sh\n${command}\n\`\`\`\n`)
            .replaceAll('Nothing special.', of('stdout')),
        },
      ],
      codex_impl: [{ ...polite, edit: { 'src/app.txt': of('file') }, say: of('stdout') }],
    },
    ['cat src/app.txt', `echo "$${knownSecret.name}" >&2`],
  );
  const ran = await made.run();
  expect(ran.status).toBe('done');
  expect(found(made)).toEqual([]);
  // Not because nothing was there.
  expect(made.text('inputs/context_pack.md')).toContain('password: "[REDACTED]"');
  expect(made.text('outputs/gemini_brief.gemini.err')).toContain('[REDACTED_PRIVATE_KEY]');
  expect(made.text('outputs/codex_verify.artifact.md')).toContain('AWS_SECRET_ACCESS_KEY=[REDACTED]');
  expect(made.text('inputs/prompt/gemini.review.md')).toContain('+AWS_SECRET_ACCESS_KEY=[REDACTED]');
  expect(made.read('src/app.txt')).toBe(of('file'));
});

it('keeps no secret of what was undone, nor of its name', async () => {
  const name = 'sk-proj-patch0123456789abcdefABCDEF0123456789abcdefABCDEF';
  const made = await project({
    codex_impl: [
      { edit: { 'src/app.txt': of('file'), 'docs/guide.md': of('patch'), [`docs/${name}`]: 'x\n' } },
    ],
  });
  const ran = await made.run();
  expect(ran.status).toBe('failed');
  expect(found(made)).toEqual([]);
  expect(made.text('outputs/codex_impl.undone.patch')).toContain('+{"api_key": "[REDACTED]"');
  expect(JSON.stringify(ran.stages)).toContain('docs/[REDACTED_API_KEY]');
  expect(valuesIn(JSON.stringify(ran), all)).toEqual([]);
});

it.each(['401 Unauthorized', 'usage limit reached', 'the stream broke'])(
  'keeps no secret of what an agent said when it failed: %s',
  async (why) => {
    const made = await project({
      codex_impl: [{ fail: `${why}: ${of('message')}`, stderr: `${of('stderr')}Error: ${why}\n`, exit: 1 }],
    });
    const ran = await made.run();
    expect(ran.status).not.toBe('done');
    expect(found(made)).toEqual([]);
    expect(made.text('outputs/codex_impl.codex.wrapper.log')).toContain('password: "[REDACTED]"');
    expect(valuesIn(JSON.stringify(ran), all)).toEqual([]);
  },
);

it("hides what the settings give to an agent, and the agent's file names for attachments", async () => {
  const made = await project({ gemini_brief: [{ say: 'it is from-the-settings-1, or so' }] });
  const config = JSON.parse(made.read('.docket/config.yaml')) as { agents: { codex: { env: object } } };
  Object.assign(config.agents.codex.env, { SERVICE_API_KEY: 'from-the-settings-1' });
  made.write('.docket/config.yaml', JSON.stringify(config));
  made.edit('inputs/attachments/ACME-attachment-42.md', () => 'nothing\n');
  await made.run();
  expect(made.text('outputs/gemini_brief.gemini.out')).toContain('it is [REDACTED], or so');
  expect(made.text('inputs/prompt/gemini.brief.md')).toContain('BEGIN ATTACHMENT: [REDACTED].md');
});

it('takes no pattern that is none, and is not held up by one that never ends', async () => {
  const made = await project({});
  const pattern = (text: string) =>
    made.edit('manifest.yaml', (manifest) =>
      manifest.replace(/redaction_patterns: .*/, () => `redaction_patterns: [${JSON.stringify(text)}]`),
    );
  pattern('(unclosed');
  await expect(made.run()).rejects.toMatchObject({ code: 'INVALID' });
  expect(made.calls()).toEqual([]);
  pattern('(\\w+\\s?)+:$');
  // The manifest itself is searched first, so it is told before anything begins.
  const slow = expect.stringContaining('takes more than');
  await expect(made.run()).rejects.toMatchObject({ code: 'INVALID', message: slow });
  expect(await (await made.packets()).validate(made.id)).toMatchObject([
    { severity: 'error', message: slow },
  ]);
  expect(made.calls()).toEqual([]);
  expect(found(made).filter((leak) => !leak.startsWith('inputs/context_pack.md:'))).toEqual([]);
});
