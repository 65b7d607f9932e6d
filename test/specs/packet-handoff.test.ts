import { describe, expect, it } from 'vitest';
import { answerOf } from '../bin/packet-cli/answers.mjs';
import { PacketProject, type Act } from '../support/packet-project.ts';

const diff = '--- a/src/app.txt\n+++ b/src/app.txt\n@@ -1 +1 @@\n-Hi\n+Good day\n';
const fenced = (text: string): string => `Here it is:\n\n\`\`\`diff\n${text}\`\`\`\n`;

/** The part of a prompt with this name; undefined where it has none. */
function part(prompt: string, name: string): string | undefined {
  const [, behind] = prompt.split(`--- BEGIN ${name} ---\n`);
  return behind?.split(`\n--- END ${name} ---\n`)[0];
}

async function implementedBy(act: Act): Promise<PacketProject> {
  const project = await PacketProject.with('safe_impl', { codex_impl: [act] });
  project.route('pipeline: {flags: {enable_brief: false}}');
  await project.run();
  return project;
}

describe('a brief', () => {
  it('hands on the context pack, and its commands run beside those of the manifest', async () => {
    const project = await PacketProject.with('safe_impl');
    project.edit('inputs/context_pack.md', () => '## 0. Goal\nAn old goal.\n');
    await project.run();
    const [brief, impl] = project.calls();
    expect(part(brief?.prompt ?? '', 'CONTEXT PACK')).toContain('An old goal.');
    expect(part(impl?.prompt ?? '', 'CONTEXT PACK')).toContain('A greeting that is polite.');
    expect(project.text('inputs/context_pack.md')).toMatch(
      /^## 0\. Goal\nA greeting[^]*## 9\. Change History\nNone\.\n$/,
    );
    expect(project.text('state/acceptance.commands.override')).toBe('test -e src/app.txt\n');
    const artifact = project.text('outputs/codex_verify.artifact.md');
    const [own, found] = ['grep -q day src/app.txt', 'test -e src/app.txt'].map((command) =>
      artifact.indexOf(`## Command: \`${command}\``),
    );
    expect(own).toBeGreaterThan(0);
    expect(found).toBeGreaterThan(own ?? 0);
    expect(artifact.match(/Exit code: 0/g)).toHaveLength(2);
  });

  it('cannot weaken what the person asked for', async () => {
    const project = await PacketProject.with('safe_impl', {}, { commands: ['false'] });
    await project.run();
    expect(project.data('outputs/codex_verify.gate_result.json')).toMatchObject({
      passed: false,
      reasons: ['false: exit code 1'],
    });
  });

  it.each<[string, string]>([
    ['rm -rf ../*', 'rm -rf ../*: exit code 126'],
    ['rm -rf src', 'src/app.txt: changed by a command of the brief (undone)'],
  ])('does no harm with %s', async (command, reason) => {
    const say = answerOf('brief').replace('test -e src/app.txt', command);
    const project = await PacketProject.with('safe_impl', { gemini_brief: [{ say }] });
    await project.run();
    expect(project.data('outputs/codex_verify.gate_result.json')['reasons']).toEqual([reason]);
    expect(project.read('src/app.txt')).toBe('Good day\n');
  });
});

describe('an implementation', () => {
  it.each<[string, Act]>([
    ['edits files', { edit: { 'src/app.txt': 'Good day\n' }, say: 'Done.' }],
    ['answers with a diff', { say: fenced(diff) }],
    ['answers with a bare diff', { say: diff }],
    ['answers with a diff that it has applied', { edit: { 'src/app.txt': 'Good day\n' }, say: fenced(diff) }],
  ])('counts when it %s, and those who judge it see it', async (_, act) => {
    const project = await implementedBy(act);
    expect(project.read('src/app.txt')).toBe('Good day\n');
    expect(await project.states()).toMatchObject({ codex_impl: 'done', gemini_review: 'done' });
    const seen = project
      .calls()
      .map(({ stage, prompt }) => [stage, part(prompt, 'ATTACHMENT: implementation.diff')]);
    expect(Object.fromEntries(seen)).toEqual({
      codex_impl: undefined,
      codex_verify: expect.stringContaining('+Good day'),
      gemini_review: expect.stringContaining('+Good day'),
    });
  });

  it('counts when the diff is in the tree already', async () => {
    const project = await PacketProject.with('safe_impl', { codex_impl: [{ say: fenced(diff) }] });
    project.put('src/app.txt', 'Good day\n');
    expect((await project.run()).status).toBe('done');
    expect(project.read('src/app.txt')).toBe('Good day\n');
  });

  it('of a runbook reaches the tree too', async () => {
    const say = answerOf('runbook').replace('## Plan\n', `$&${fenced(diff)}\n`);
    const project = await PacketProject.with('one_shot_impl', { copilot_runbook: [{ say }] });
    expect((await project.run()).status).toBe('done');
    expect(project.read('src/app.txt')).toBe('Good day\n');
  });

  it.each<[string, Act, string]>([
    [
      'a corrupt diff',
      { say: fenced(diff.replace('@@ -1 +1 @@', '@@ nonsense @@')) },
      'the diff does not apply: ',
    ],
    ['a diff of something else', { say: fenced(diff.replace('-Hi', '-Hello')) }, 'the diff does not apply: '],
    ['nothing', { say: 'I would change the greeting.' }, 'nothing was changed, and the answer holds no diff'],
  ])('does not count when it is %s', async (_, act, reason) => {
    const project = await implementedBy(act);
    const { passed, reasons } = project.data('outputs/codex_impl.gate_result.json') as {
      passed: boolean;
      reasons: string[];
    };
    expect([passed, reasons.length, reasons[0]?.slice(0, reason.length)]).toEqual([false, 1, reason]);
    expect(project.data('state/last_failure.json')).toMatchObject({
      class: 'contract_violation',
      exit_code: 0,
    });
    expect(project.read('src/app.txt')).toBe('Hi\n');
    expect(project.called()).toEqual(['codex_impl']);
  });

  it('that an earlier try has done needs no second one', async () => {
    const project = await implementedBy({ shell: "echo 'Good day' > src/app.txt; echo x > docs/new.md" });
    project.play({ codex_impl: [{ say: 'It is all there.' }] });
    expect((await project.run()).status).toBe('done');
  });
});

describe('a consolidated review', () => {
  it('gets what the others found', async () => {
    const say = answerOf('review').replace('None.', '[HIGH] src/app.txt:1 is rude');
    const project = await PacketProject.with('review_cross', { codex_review: [{ say }] });
    project.edit('inputs/attachments/notes.md', () => 'Mind the tone.\n');
    await project.run();
    const { prompt = '' } = project.calls().at(-1) ?? {};
    expect(part(prompt, 'ATTACHMENT: codex_review.md')).toContain('src/app.txt:1 is rude');
    expect(part(prompt, 'ATTACHMENT: gemini_review.md')).toContain('## Findings');
    expect(part(prompt, 'ATTACHMENT: notes.md')).toContain('Mind the tone.');
  });
});

it('every stage is told what it is held to, in the language of the request', async () => {
  const project = await PacketProject.with(
    'safe_impl',
    {},
    {
      goal: '请更礼貌地问候',
      request: '请把问候语改得更礼貌。',
      allow: ['src/', 'tests/'],
      deny: ['src/legacy/'],
      criteria: ['问候语是礼貌的'],
    },
  );
  expect((await project.run()).status).toBe('done');
  expect(project.calls()).toHaveLength(4);
  for (const { prompt, tool, role } of project.calls()) {
    expect(project.text(`inputs/prompt/${tool}.${role}.md`)).toBe(prompt);
    for (const heading of ['Rules', 'Task', 'Context', 'Files', 'Done when', 'Report'])
      expect(prompt).toMatch(new RegExp(`^# ${heading}$`, 'm'));
    for (const words of [
      '请更礼貌地问候',
      '- src/\n- tests/\n',
      '- src/legacy/\n',
      'grep -q day src/app.txt\n',
      '- 问候语是礼貌的\n',
      'language of the request',
    ])
      expect(prompt).toContain(words);
    expect(prompt).not.toMatch(/answer in english/i);
  }
});

it('the last stages of a post-implementation review are given the answers of the first', async () => {
  const said = (role: string, words: string) => [{ say: answerOf(role).replace('None.', words) }];
  const project = await PacketProject.with(
    'post_impl_review',
    {
      gemini_review: said('review', 'R1 says so.'),
      gemini_test_design: said('test_design', 'T1 says so.'),
      gemini_static_verify: said('static_verify', 'V1 says so.'),
    },
    { commands: [] },
  );
  expect((await project.run()).status).toBe('done');
  const attached = (stage: string): string[] => {
    const prompt = project.calls().find((call) => call.stage === stage)?.prompt ?? '';
    return [...prompt.matchAll(/^--- BEGIN ATTACHMENT: (.+) ---$/gm)].map(([, name = '']) => name);
  };
  const first = ['gemini_review.md', 'test_matrix.md', 'verification_checklist.md'];
  expect(attached('codex_review')).toEqual([]);
  expect(attached('codex_test_impl')).toEqual(['codex_review.md', ...first]);
  expect(attached('codex_verify')).toEqual([
    'codex_review.md',
    'gemini_review.md',
    'test_implementation_report.md',
    ...first.slice(1),
  ]);
  const { prompt } = project.calls().find(({ stage }) => stage === 'codex_test_impl') ?? { prompt: '' };
  for (const words of ['R1', 'T1', 'V1']) expect(prompt).toContain(`${words} says so.`);
});

describe('an answer that breaks its contract', () => {
  it.each<[string, string, string, RegExp]>([
    [
      'safe_impl',
      'gemini_brief',
      answerOf('brief').replace('## Scope', '### Scope'),
      /heading "## Scope" is missing/,
    ],
    [
      'review_only',
      'gemini_review',
      answerOf('review').replace('## Findings\nNone.', '## Findings'),
      /has nothing below it/,
    ],
    ['codex_only', 'codex_verify', answerOf('verify').replace('PASS', 'FAIL'), /says FAIL/],
    [
      'post_impl_review',
      'gemini_static_verify',
      answerOf('static_verify').replace('GO\n', 'NO-GO\n'),
      /says NO-GO/,
    ],
    [
      'post_impl_review',
      'codex_test_impl',
      answerOf('test_impl').replace('No diff required.', 'Later.'),
      /needs a fenced diff/,
    ],
    ['one_shot_impl', 'copilot_runbook', 'All is well.', /heading "## Problem" is missing/],
    ['design_only', 'gemini_test_design', 'Test it well.', /heading "## Test Matrix" is missing/],
  ])('%s stops at %s', async (intent, stage, say, reason) => {
    const project = await PacketProject.with(intent, { [stage]: [{ say }] }, { commands: [] });
    const ran = await project.run();
    expect(ran.status).toBe('failed');
    expect(project.called().at(-1)).toBe(stage);
    expect(project.data(`outputs/${stage}.gate_result.json`)['reasons']).toContainEqual(
      expect.stringMatching(reason),
    );
    expect(project.has(`done/${stage}.done`)).toBe(false);
    expect(project.text('outputs/_summary.md')).toMatch(new RegExp(`- gate reason: .*${reason.source}`));
    expect(project.text('outputs/_summary.md')).toContain('next_action: docket packet resume p-1 (first: ');
  });
});
