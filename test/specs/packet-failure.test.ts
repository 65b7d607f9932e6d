import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Progress } from '../../src/engine/progress.ts';
import { findMarked } from '../../src/io/process/family.ts';
import { PacketProject, polite, type Act } from '../support/packet-project.ts';

const lost: Act = { fail: 'stream disconnected before completion', exit: 1 };
const soon = (): number => Math.floor(Date.now() / 1000) + 7200;

/** A packet of one review by codex, with this line of its manifest changed. */
async function reviewed(acts: readonly Act[], key = '', value = ''): Promise<PacketProject> {
  const project = await PacketProject.with('codex_only', { codex_review: acts }, { commands: [] });
  if (key !== '') project.set(key, value);
  return project;
}

it('a program that is not there is named before any call is paid', async () => {
  const project = await PacketProject.with('safe_impl');
  fs.rmSync(path.join(project.env['PATH']!.split(':')[0]!, 'codex'));
  const packets = await project.packets();
  const message = expect.stringMatching(/codex, for codex_impl, codex_verify: .*"codex" is not on PATH/);
  await expect(project.run()).rejects.toMatchObject({ code: 'INVALID', message });
  await expect(packets.plan('p-1', {})).rejects.toMatchObject({ code: 'INVALID', message });
  expect(await packets.validate('p-1')).toMatchObject([{ severity: 'error', message }]);
  expect(project.called()).toEqual([]);
  // What does not need it runs.
  await project.run({ stage: 'gemini_brief' });
  expect(project.called()).toEqual(['gemini_brief']);
});

describe('retries', () => {
  it('are as many as the budget for an error, and its count is kept', async () => {
    const project = await reviewed([lost], 'retry_budget', '2');
    expect((await project.run()).status).toBe('failed');
    expect(project.called()).toEqual(['codex_review', 'codex_review', 'codex_review']);
    const { paid_calls_used, signatures } = project.data('state/stats.json') as {
      paid_calls_used: number;
      signatures: Record<string, object>;
    };
    const { signature } = project.data('state/last_failure.json') as { signature: string };
    expect(paid_calls_used).toBe(3);
    expect(Object.keys(signatures)).toEqual([signature]);
    expect(signatures[signature]).toMatchObject({ count: 3, class: 'transient' });
    // Who resumes wants it tried: the budget is that of a run.
    await project.run();
    expect(project.calls()).toHaveLength(6);
  });

  it('are none with a budget of nought', async () => {
    const project = await reviewed([lost], 'retry_budget', '0');
    await project.run();
    expect(project.calls()).toHaveLength(1);
  });

  it('are counted for each error by itself', async () => {
    const other: Act = { ...lost, stderr: 'something else\n' };
    const project = await reviewed([lost, other, {}], 'retry_budget', '1');
    expect((await project.run()).status).toBe('done');
    expect(Object.keys(project.data('state/stats.json')['signatures'] as object)).toHaveLength(2);
    expect(project.has('state/last_failure.json')).toBe(false);
    expect(project.data('outputs/codex_review.codex.meta.json')).toMatchObject({ exit_code: 0 });
  });

  it('go on in the same conversation, and begin anew where that is gone, which is no try', async () => {
    const gone: Act = { fail: 'no rollout found for thread id 7', exit: 1 };
    const project = await reviewed([lost, gone, {}], 'retry_budget', '1');
    expect((await project.run()).status).toBe('done');
    const [first, ...after] = project.calls().filter(({ stage }) => stage === 'codex_review');
    expect(
      after.map(({ argv, prompt }) => [argv.includes('resume'), prompt.split(' ', 3).join(' ')]),
    ).toEqual([
      [true, 'Your last turn'],
      [false, first?.prompt.split(' ', 3).join(' ')],
    ]);
  });

  it.each<[string, Act]>([
    ['auth', { fail: 'unexpected status 401 Unauthorized: nobody is logged in', exit: 1 }],
    [
      'tooling',
      { fail: JSON.stringify({ error: { code: 'modelNotFound', message: 'no such model' } }), exit: 1 },
    ],
    ['contract_violation', { say: 'Looks good.' }],
  ])('are none for %s, which trying does not mend', async (kind, act) => {
    const project = await reviewed([act]);
    expect((await project.run()).status).toBe('failed');
    expect(project.calls()).toHaveLength(1);
    expect(project.data('state/last_failure.json')).toEqual({
      class: kind,
      signature: expect.stringMatching(/^sig:[0-9a-f]{16}$/),
      exit_code: kind === 'contract_violation' ? 0 : 1,
      gate_result: kind === 'contract_violation' ? kind : 'pass',
      suggested_actions: expect.arrayContaining([expect.any(String)]),
    });
  });
});

describe('the budget', () => {
  it('of paid calls holds the packet until a person raises it', async () => {
    const project = await PacketProject.with('safe_impl');
    project.set('paid_call_budget', 2);
    const ran = await project.run();
    expect(ran.task).toMatchObject({ status: 'blocked', reason: { kind: 'budget', who: 'a person' } });
    expect(project.called()).toEqual(['gemini_brief', 'codex_impl']);
    expect(project.data('state/last_failure.json')).toMatchObject({ class: 'budget' });
    expect(project.text('outputs/_summary.md')).toContain(
      'next_action: docket packet resume p-1 (first: raise the budget',
    );
    expect((await project.run()).status).toBe('blocked');
    project.set('paid_call_budget', 4);
    expect((await project.run()).status).toBe('done');
    expect(project.called()).toEqual(['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review']);
    expect(project.has('state/last_failure.json')).toBe(false);
  });

  it('counts retries, too', async () => {
    const project = await reviewed([lost], 'paid_call_budget', '2');
    expect((await project.run()).status).toBe('blocked');
    expect(project.calls()).toHaveLength(2);
  });

  it('of tokens is one as well', async () => {
    const project = await reviewed([{}], 'tokens', '10');
    const ran = await project.run();
    expect(ran.task).toMatchObject({
      status: 'blocked',
      reason: { text: expect.stringContaining('tokens: 15 of 10') },
    });
    expect(project.called()).toEqual(['codex_review']);
  });

  it('is charged for a call that was ended, as far as it had told', async () => {
    const project = await reviewed([{ linger: true }, {}], 'tokens', '10');
    const stop = new AbortController();
    const going = project.run({
      signal: stop.signal,
      onProgress: (progress) => {
        if (progress.kind === 'event' && progress.event.type === 'usage') stop.abort('shutdown');
      },
    });
    expect(await going).toMatchObject({ interrupted: true });
    expect(await project.run()).toMatchObject({
      task: { status: 'blocked', reason: { text: expect.stringContaining('tokens: 15 of 10') } },
    });
    expect(project.called()).toEqual(['codex_review']);
  });

  it('is not charged for a program that is not there', async () => {
    const project = await PacketProject.with('safe_impl');
    const codex = path.join(project.env['PATH']!.split(':')[0]!, 'codex');
    project.play({ gemini_brief: [{ shell: `rm ${codex}` }] });
    const ran = await project.run();
    expect(ran).toMatchObject({ status: 'failed', calls: { used: 1 } });
    expect(project.data('state/last_failure.json')).toMatchObject({ class: 'tooling' });
    expect(project.text('outputs/_summary.md')).toContain('codex');
  });
});

it('a call that takes too long ends with all that it started, as exit code 124', async () => {
  const project = await reviewed([{ hang: true }], 'max_wallclock_sec', '1');
  project.set('retry_budget', 0);
  expect((await project.run()).stages[0]).toMatchObject({
    stage: 'codex_review',
    state: 'failed',
    exitCode: 124,
  });
  expect(project.data('outputs/codex_review.codex.meta.json')).toMatchObject({ exit_code: 124 });
  expect(project.data('state/last_failure.json')).toMatchObject({ class: 'timeout', exit_code: 124 });
  expect(project.marks().flatMap((mark) => findMarked(mark))).toEqual([]);
});

it('a prompt that is too large is sent once more with the digest', async () => {
  const project = await reviewed([
    { fail: "Codex ran out of room in the model's context window.", exit: 1 },
    {},
  ]);
  const filler = 'State.\n'.repeat(100);
  project.edit('inputs/context_pack.md', () => `## 0. Goal\nBe polite.\n\n## 7. Current State\n${filler}`);
  expect((await project.run()).status).toBe('done');
  expect(project.called()).toEqual(['codex_review', 'codex_review', 'codex_verify']);
  expect(project.calls().map(({ prompt }) => prompt.includes(filler))).toEqual([true, false, true]);
  expect(project.text('outputs/codex_review.codex.prompt_sha256').trim()).toBe(project.calls()[1]?.sha);
  // It is up to date for all that.
  await project.run();
  expect(project.calls()).toHaveLength(3);
});

it('a limit with a known end is waited for, and costs no retry', async () => {
  const error = {
    type: 'usage_limit_reached',
    message: 'The usage limit has been reached',
    resets_at: soon(),
  };
  const project = await PacketProject.with('safe_impl', {
    codex_impl: [{ fail: JSON.stringify({ error }), exit: 1 }, polite],
  });
  const ran = await project.run();
  const at = new Date(error.resets_at * 1000 + 5000).toISOString(); // clocks differ a little
  expect(ran.task).toMatchObject({
    status: 'blocked',
    reason: { kind: 'limit', who: 'docket', resumesAt: at },
  });
  expect(project.called()).toEqual(['gemini_brief', 'codex_impl']);
  expect(project.text('outputs/_summary.md')).toContain(
    `next_action: docket packet resume p-1 (not before ${at})`,
  );
  // Nobody is asked before that time, unless a person knows better.
  expect((await project.run()).status).toBe('blocked');
  expect(project.called()).toEqual(['gemini_brief', 'codex_impl']);
  await project.openLimits();
  expect((await project.run()).status).toBe('done');
  expect(project.has('state/last_failure.json')).toBe(false);
});

it('a long stderr is shown in part, and the summary stays short', async () => {
  const stderr = Array.from({ length: 500 }, (_, at) => `line ${at}\n`).join('');
  const project = await reviewed([{ ...lost, stderr }], 'retry_budget', '0');
  const told: Progress[] = [];
  await project.run({ onProgress: (progress) => told.push(progress) });
  const last = { kind: 'stepped', step: 'codex_review', state: 'failed', exitCode: 1 };
  const tail = Array.from({ length: 20 }, (_, at) => `line ${480 + at}`);
  expect(told.filter(({ kind }) => kind !== 'event')).toMatchObject([
    { kind: 'started' },
    { kind: 'step', step: 'codex_review', agent: 'codex' },
    { ...last, tail, summary: 'transient: line 499' },
    { kind: 'ended', task: { status: 'failed' } },
  ]);
  const summary = project.text('outputs/_summary.md').trimEnd().split('\n');
  expect(summary.length).toBeLessThanOrEqual(80);
  expect(summary).toContain('    line 499');
  expect(summary.join('\n')).toMatch(/\.\.\. \[\d+ lines omitted\] \.\.\./);
  expect(project.text('outputs/codex_review.codex.err').split('\n')).toHaveLength(502);
});

it.each([
  ['Error: 401 Unauthorized\n', 'sig:7c66c617c16b9b44'],
  ['2026-02-02T10:00:00 ECONNRESET by peer\n', 'sig:5cc8d49cb86fdd43'],
])('an error on stderr has the signature of the format: %j is %s', async (stderr, signature) => {
  const project = await PacketProject.with('review_only', { gemini_review: [{ stderr, exit: 1 }] });
  project.set('retry_budget', 0);
  expect((await project.run()).status).toBe('failed');
  expect(project.data('state/last_failure.json')).toMatchObject({ signature });
  expect(project.data('state/stats.json')).toMatchObject({ signatures: { [signature]: { count: 1 } } });
});

it('a failure is past once the stage has gone well, and stays in the history', async () => {
  const project = await PacketProject.with('safe_impl', { codex_impl: [{ say: 'Nothing.' }, polite] });
  await project.run();
  expect(project.text('outputs/_summary.md')).toContain('## Failure');
  await project.run();
  expect(project.has('state/last_failure.json')).toBe(false);
  expect(project.text('outputs/_summary.md')).not.toContain('## Failure');
  expect(Object.keys(project.data('state/stats.json')['signatures'] as object)).toHaveLength(1);
});

it('start, end and duration of a stage agree', async () => {
  const project = await PacketProject.with('review_only');
  await project.run();
  const meta = project.data('outputs/gemini_review.gemini.meta.json');
  const [start, end] = [meta['start'], meta['end']].map((time) => Date.parse(String(time)));
  expect(meta['duration_sec']).toBe(((end ?? 0) - (start ?? 0)) / 1000);
});
