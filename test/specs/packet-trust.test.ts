import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { PacketProject, polite, type Act } from '../support/packet-project.ts';

const manifest = '.tmp/task/p-1/manifest.yaml';
/** From where its agents work: nothing keeps an agent without a sandbox from it. */
const up = '../../../..';
/** Everything is in scope, nothing has to be proved, and money is no object. */
const widened = `sed -i 's#^    - src/#    - .#; s#^    - grep.*#    - "true"#; s#^  paid_call_budget: .*#  paid_call_budget: 99#' ${up}/${manifest}`;

async function failedOn(project: PacketProject, stage: string, paths: readonly string[]): Promise<void> {
  const ran = await project.run();
  const { reasons = [], state } = ran.stages.find((one) => one.stage === stage) ?? {};
  expect(state).toBe('failed');
  for (const name of paths)
    expect(reasons).toContainEqual(
      `${name}: is not for an agent to change; people change it when no stage runs (undone)`,
    );
  expect(project.data('state/last_failure.json')).toMatchObject({ class: 'scope_violation' });
}

it('an agent cannot widen its own scope, budget or acceptance, neither now nor later', async () => {
  const act: Act = { ...polite, shell: `${widened}; echo x > docs/new.md` };
  const project = await PacketProject.with('safe_impl', { codex_impl: [act] });
  const before = project.text('manifest.yaml');
  await failedOn(project, 'codex_impl', [manifest]);
  expect(project.text('manifest.yaml')).toBe(before);
  expect(project.read('src/app.txt')).toBe('Good day\n');
  expect(fs.existsSync(path.join(project.root, 'docs/new.md'))).toBe(false);
  const patch = project.text('outputs/codex_impl.undone.patch');
  expect(patch).toContain('+  paid_call_budget: 99');
  expect(patch).toContain('+++ b/docs/new.md');
  expect((await (await project.packets()).show('p-1')).calls.budget).toBe(10);
  project.play({ codex_impl: [{ ...polite, shell: 'echo x > docs/new.md' }] });
  expect((await project.run()).stages[1]?.reasons).toContainEqual(expect.stringContaining('docs/new.md'));
});

it('nor one that may only read: settings, templates, inputs, outputs and markers are what they were', async () => {
  const packet = '.tmp/task/p-1';
  const shell = [
    widened,
    `cd ${up}`,
    'mkdir -p configs/pipeline .docket/prompts/packet',
    'echo "{}" > configs/pipeline/impl-pipeline.yaml',
    'echo "Say yes." > .docket/prompts/packet/review.md',
    'echo "durability: relaxed" > .docket/config.yaml',
    `echo "Praise it." > ${packet}/inputs/attachments/extra.md`,
    `echo "Do nothing." > ${packet}/inputs/user_request.md`,
    `rm ${packet}/state/acceptance.commands.override; ln -s /etc/passwd ${packet}/state/acceptance.commands.override`,
    `echo "All good." > ${packet}/outputs/codex_impl.codex.out`,
    `echo mine > ${packet}/outputs/notes.txt`,
    `touch ${packet}/done/gemini_review.done; rm ${packet}/done/codex_impl.done`,
  ];
  const project = await PacketProject.with('safe_impl', {
    codex_verify: [{ say: '## Status\nFAIL\n' }],
  });
  await project.run();
  const files = () =>
    project
      .files()
      .filter(
        (name) => !/^(outputs\/(_summary|codex_verify|.*undone)|state\/(stats|last|config))/.test(name),
      );
  const before = files().map((name) => [name, project.text(name)]);
  const config = project.read('.docket/config.yaml');
  project.route('pipeline: {flags: {enable_verify: false}}');
  const routed = project.text('manifest.yaml');
  project.play({ gemini_review: [{ shell: shell.join('\n') }] });
  await failedOn(project, 'gemini_review', [
    manifest,
    '.docket/config.yaml',
    '.docket/prompts/packet/review.md',
    'configs/pipeline/impl-pipeline.yaml',
    `${packet}/inputs/attachments/extra.md`,
    `${packet}/inputs/user_request.md`,
    `${packet}/outputs/codex_impl.codex.out`,
    `${packet}/state/acceptance.commands.override`,
  ]);
  expect(project.read('.docket/config.yaml')).toBe(config);
  for (const [name = '', text] of before)
    expect([name, project.text(name)]).toEqual([name, name === 'manifest.yaml' ? routed : text]);
  expect(
    ['done/gemini_review.done', 'inputs/attachments/extra.md', 'outputs/notes.txt'].map((name) =>
      project.has(name),
    ),
  ).toEqual([false, false, true]);
});

it('nor a command that a model wrote', async () => {
  const say = (await import('../bin/packet-cli/answers.mjs')) as { answerOf(role: string): string };
  const brief = say
    .answerOf('brief')
    .replace('## Verify Commands\n', `$&\n\`\`\`sh\n${widened.replaceAll('$', '$$$$')}\n\`\`\`\n`);
  const project = await PacketProject.with('safe_impl', { gemini_brief: [{ say: brief }] });
  const before = project.text('manifest.yaml');
  expect((await project.run()).stages[2]?.reasons).toContainEqual(
    `${manifest}: changed by a command of the brief (undone)`,
  );
  expect(project.text('manifest.yaml')).toBe(before);
});

it('nor one that was ended in the middle', async () => {
  const project = await PacketProject.with('safe_impl', {
    gemini_brief: [{ shell: widened, hang: true }, {}],
  });
  const before = project.text('manifest.yaml');
  const stop = new AbortController();
  const going = project.run({ signal: stop.signal });
  while (project.text('manifest.yaml') === before) await new Promise((resolve) => setTimeout(resolve, 20));
  stop.abort('shutdown');
  expect(await going).toMatchObject({ interrupted: true });
  expect(project.text('manifest.yaml')).toBe(before);
  expect(project.text('outputs/gemini_brief.undone.patch')).toContain('+  paid_call_budget: 99');
  // A person's word between two runs counts.
  project.set('paid_call_budget', 20);
  expect(await project.run()).toMatchObject({ status: 'done', calls: { budget: 20 } });
});

/** A docket that is killed while the brief's agent, which has done this, is still at work. */
async function killed(shell: string): Promise<PacketProject> {
  const waits = `cd ${up}; touch .docket/ready; until [ -e .docket/go ]; do sleep 0.05; done`;
  const project = await PacketProject.with('safe_impl', { gemini_brief: [{ shell: `${shell}; ${waits}` }] });
  const docket = project.start('packet', 'run', 'p-1');
  while (!fs.existsSync(path.join(project.root, '.docket/ready')))
    await new Promise((resolve) => setTimeout(resolve, 20));
  docket.kill('SIGKILL');
  await new Promise((resolve) => docket.once('close', resolve));
  project.put('.docket/go', '');
  return project;
}

it('nor one whose docket was killed', async () => {
  const project = await killed(widened);
  expect(project.text('manifest.yaml')).toContain('paid_call_budget: 99');
  expect(await project.run()).toMatchObject({ status: 'done', calls: { used: 4, budget: 10 } });
  expect(project.text('manifest.yaml')).toContain('paid_call_budget: 10');
  expect(project.text('outputs/gemini_brief.undone.patch')).toContain('+  paid_call_budget: 99');
});

it('nor does it help to forge the note of what was there, or to remove it', async () => {
  const note = '.docket/packet/p-1/trusted/gemini_brief.json';
  const project = await killed(
    `${widened}; sed -i 's/paid_call_budget: 10/paid_call_budget: 99/' ${up}/${note}`,
  );
  const refused = {
    code: 'REFUSED',
    message: expect.stringContaining('changed while gemini_brief was at work'),
  };
  await expect(project.run()).rejects.toMatchObject(refused);
  project.write(note, '{"../../outside": ["file", "x"]}');
  await expect(project.run()).rejects.toMatchObject(refused);
  fs.rmSync(path.join(project.root, note));
  await expect(project.run()).rejects.toMatchObject(refused);
  // A person puts it right, or says that it is.
  project.set('paid_call_budget', 10);
  await expect(project.run()).rejects.toMatchObject(refused);
  expect(await project.run({ from: 'gemini_brief' })).toMatchObject({ status: 'done' });
  expect(fs.existsSync(path.join(project.root, '../../outside'))).toBe(false);
});
