import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compat, findRoot, openDocket, readText, validate } from '../../../src/project/docket.ts';
import { dispatch } from '../../../src/surfaces/cli/dispatch.ts';
import { findWorkflow } from '../../../src/workflows/find.ts';
import { one, place } from './place.ts';

/** The command line in a project, with the real app behind it. */
async function docket(here: ReturnType<typeof place>, ...argv: string[]) {
  const ended = { code: -1, stdout: '', stderr: '' };
  ended.code = await dispatch({
    argv: ['workflow', ...argv],
    env: {},
    cwd: here.root,
    stdout: { write: (text) => (ended.stdout += text) },
    stderr: { write: (text) => (ended.stderr += text) },
    stdin: { async *[Symbol.asyncIterator]() {} },
    now: Date.now,
    every: () => () => undefined,
    onStop: () => () => undefined,
    docket: async () => ({
      findRoot,
      readText,
      validate,
      compat,
      openDocket: (options) => openDocket({ ...options, root: here.root, env: here.env }),
    }),
  });
  const json = () => JSON.parse(ended.stdout) as Record<string, unknown>;
  return { ...ended, json };
}

describe('docket workflow list', () => {
  it('has a row for each name, and says what a name hides', async () => {
    const here = place({
      'root/.takt/workflows/quick.yaml': one('mine'),
      'root/.takt/workflows/bad.yaml': 'steps: [',
    });
    const { code, stdout, stderr } = await docket(here, 'list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^quick +project +1 +\[hides the built-in one\]$/m);
    expect(stdout).toMatch(/^default +built-in +5 +Plan, implement/m);
    expect(stderr).toContain('.takt/workflows/bad.yaml:1:9 error');
    const { workflows, findings } = (await docket(here, 'list', '--json')).json() as {
      workflows: unknown[];
      findings: unknown[];
    };
    expect(workflows).toContainEqual({
      name: 'quick',
      layer: 'project',
      steps: 1,
      description: '',
      file: path.join(here.root, '.takt/workflows/quick.yaml'),
      callable: false,
      hides: ['built-in'],
    });
    expect(findings).toHaveLength(1);
  });
});

describe('docket workflow show', () => {
  it('says in words where each rule leads', async () => {
    const { code, stdout } = await docket(place(), 'show', 'default');
    expect(code).toBe(0);
    expect(stdout).toContain(
      '\n  review  reviewer · reads\n    hands in 02-review.md\n    "approved" → COMPLETE\n',
    );
    expect(stdout).toContain('after 3 rounds of review, fix: judge-review-fix\n');
    const shown = (await docket(place(), 'show', 'review_cross', '--json')).json();
    expect(shown).toMatchObject({ v: 1, ok: true, name: 'review_cross', start: 'reviews', maxSteps: 5 });
  });

  it('shows the texts of a step', async () => {
    const here = place({
      'root/.takt/workflows/w.yaml': one(
        'w',
        '    persona: Kind \\e[31m words.\n    quality_gates: [Good]\n',
      ),
    });
    const { stdout } = await docket(here, 'show', 'w', '--prompt', 'w');
    expect(stdout).toBe('## persona\nKind \\e[31m words.\n\n## quality gates\n- Good\n');
    const answer = (await docket(here, 'show', 'w', '--prompt', 'w', '--json')).json();
    expect(answer).toMatchObject({ step: 'w', prompt: { criteria: ['Good'] } });
    expect((await docket(here, 'show', 'default', '--prompt', 'review')).stdout).toMatch(
      /## how to end\n[^]*\n- \[REVIEW:1\] approved\n/,
    );
    expect(await docket(here, 'show', 'w', '--prompt', 'v')).toMatchObject({ code: 3 });
    expect(await docket(here, 'show', 'nothing')).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('docket workflow check', () => {
  it('finds everything at once, in all files, and ends with 1', async () => {
    const here = place({
      'root/.takt/workflows/a.yaml': one('a').replace('COMPLETE', 'b'),
      'root/.takt/workflows/b.yaml': one('b', '    provider: claud\n'),
      'home/.takt/workflows/c.yaml': one('c', '    persona: nobody\n'),
      'root/ci/d.yaml': one('d', '    edt: true\n'),
    });
    const { code, stdout, stderr } = await docket(here, 'check');
    expect([code, stderr]).toEqual([1, '2 errors, 1 warning.\n']);
    expect(stdout).toMatch(/^\.takt\/workflows\/a\.yaml:4:\d+ error there is no step "b"$/m);
    expect(stdout).toMatch(/b\.yaml warning there is no agent "claud"\n {2}fix: did you mean "claude"\?/);
    expect(stdout).toMatch(
      /c\.yaml:4:14 error there is no persona "nobody"\n {2}fix: .* To choose an agent: "provider: nobody"\.$/m,
    );
    const some = await docket(here, 'check', 'ci/d.yaml', 'quick', '--json');
    expect(some.code).toBe(1);
    expect(some.json()).toMatchObject({
      ok: false,
      findings: [
        {
          path: path.join(here.root, 'ci/d.yaml'),
          line: 4,
          column: 5,
          message: 'unknown key "steps[1].edt"',
        },
      ],
    });
  });

  it('ends with 0 for warnings alone, and prints each of them once', async () => {
    const step = (name: string, next: string) =>
      `  - name: ${name}\n    allowed_tools: [Read]\n    rules: [{ condition: done, next: ${next} }]\n`;
    const here = place({
      'root/.takt/workflows/a.yaml': `steps:\n${step('a', 'b')}${step('b', 'c')}${step('c', 'COMPLETE')}`,
    });
    const { code, stdout, stderr } = await docket(here, 'check', 'a');
    expect([code, stderr]).toEqual([0, '3 warnings.\n']);
    expect(stdout.match(/allowed_tools/g)).toHaveLength(1);
    expect(stdout).toContain('a.yaml:3:5 warning "allowed_tools" has no effect (also in line 6, 9)\n');
    const { findings } = (await docket(here, 'check', 'a', '--json')).json() as { findings: unknown[] };
    expect(findings).toHaveLength(3);
  });

  it('takes an unknown word for the text of an instruction or a report, unless it is nearly a name', async () => {
    const texts =
      '    instruction_template: x\n    output_contracts: { report: [{ name: r.md, format: zzz }] }\n';
    const here = place({
      'root/.takt/workflows/a.yaml': one('a', texts),
      'root/.takt/facets/instructions/implement.md': 'Do it.',
      'root/.takt/workflows/b.yaml': one('b', '    instruction: implemnt\n'),
    });
    expect(await docket(here, 'check', 'a')).toMatchObject({ code: 0, stderr: '2 warnings.\n' });
    expect(findWorkflow('a', here).nodes['a']).toMatchObject({
      prompt: { instruction: 'x' },
      reports: [{ format: 'zzz' }],
    });
    const near = await docket(here, 'check', 'b');
    expect([near.code, near.stdout]).toEqual([1, expect.stringContaining('Did you mean "implement"?')]);
  });

  it('ends with 3 for a name that nothing has, as all commands do', async () => {
    const here = place();
    const ended = await docket(here, 'check', 'quick', 'quik');
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain('there is no workflow quik');
  });

  it('is content with what is right, also with what only others call', async () => {
    const here = place({
      'root/.takt/workflows/part.yaml':
        'subworkflow: { callable: true, returns: [again], params: { who: { type: facet_ref, facet_kind: persona } } }\nsteps:\n  - { name: a, persona: { $param: who }, rules: [{ condition: x, return: again }] }\n',
    });
    expect(await docket(here, 'check')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No problems found.\n',
    });
    expect((await docket(here, 'check', 'part', '--json')).json()).toEqual({ v: 1, ok: true, findings: [] });
  });
});

describe('docket workflow new', () => {
  it.each([
    ['--template', 'minimal'],
    ['--template', 'full'],
    ['--from', 'default'],
    ['--from', 'quick'],
    ['--from', 'safe_impl'],
    ['--from', 'review_cross'],
    ['--from', 'post_impl_review'],
  ])('writes one that works: %s %s', async (...options) => {
    const here = place();
    const { code, stdout, stderr } = await docket(here, 'new', 'mine', ...options);
    expect([code, stdout]).toEqual([0, '.takt/workflows/mine.yaml\n']);
    expect(stderr).toBe('Edit it, then: docket workflow check mine\n');
    const text = fs.readFileSync(path.join(here.root, '.takt/workflows/mine.yaml'), 'utf8');
    expect(text).toMatch(/^name: mine$/m);
    expect(text).not.toMatch(/\bNAME\b/);
    expect(await docket(here, 'check', 'mine')).toMatchObject({ code: 0, stdout: '' });
  });

  it('never overwrites, in whatever folder and with whatever ending it is', async () => {
    const here = place({ 'root/.takt/pieces/mine.yml': one('mine') });
    expect(await docket(here, 'new', 'mine')).toMatchObject({ code: 4 });
    expect(fs.existsSync(path.join(here.root, '.takt/workflows'))).toBe(false);
    expect(await docket(here, 'new', 'other')).toMatchObject({ code: 0 });
    expect(await docket(here, 'new', 'other', '--template', 'full')).toMatchObject({ code: 4 });
  });

  it.each(['../x', 'a/b', '', '.hidden', 'constructor'])('refuses the name %j', async (name) => {
    expect(await docket(place(), 'new', name)).toMatchObject({ code: 2, stdout: '' });
  });

  it('does not write a copy whose texts stay behind', async () => {
    const here = place({
      'home/.takt/workflows/w.yaml': one('w', '    persona: ../own.md\n'),
      'home/.takt/own.md': 'Own.',
    });
    const { code, stderr } = await docket(here, 'new', 'mine', '--from', 'w');
    expect(code).toBe(2);
    expect(stderr).toContain('own.md');
    expect(fs.existsSync(path.join(here.root, '.takt/workflows/mine.yaml'))).toBe(false);
  });

  it('does not follow a link in the place of its folder', async () => {
    const here = place();
    fs.symlinkSync(here.base, path.join(here.root, '.takt'));
    expect(await docket(here, 'new', 'mine')).toMatchObject({ code: 2 });
    expect(fs.readdirSync(here.base).toSorted()).toEqual(['home', 'root']);
  });
});

describe('docket workflow graph', () => {
  it('draws for Mermaid, and to a file', async () => {
    const here = place();
    expect((await docket(here, 'graph', 'quick')).stdout).toMatch(/^flowchart TD\n {2}n0\(\["quick"\]\)/);
    expect(await docket(here, 'graph', 'quick', '--out', 'q.mmd')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Wrote q.mmd.\n',
    });
    const file = path.join(here.root, 'q.mmd');
    expect(fs.readFileSync(file, 'utf8')).toMatch(/^flowchart TD\n/);
    const again = ['graph', 'default', '--out', 'q.mmd'];
    const refused = await docket(here, ...again);
    expect([refused.code, fs.readFileSync(file, 'utf8').includes('["quick"]')]).toEqual([4, true]);
    expect(refused.stderr).toContain('--force');
    expect(await docket(here, ...again, '--force')).toMatchObject({ code: 0 });
    expect(fs.readFileSync(file, 'utf8')).toContain('["default"]');
    expect((await docket(here, 'graph', 'quick', '--json')).json()).toMatchObject({ format: 'mermaid' });
  });

  it.each([[['--format', 'svg']], [['--out', 'q.svg']]])(
    'names Mermaid for a picture: %j',
    async (options) => {
      const here = place();
      const { code, stderr } = await docket(here, 'graph', 'quick', ...options);
      expect([code, stderr]).toEqual([2, expect.stringContaining('drawn as mermaid text, not as svg')]);
      expect(fs.existsSync(path.join(here.root, 'q.svg'))).toBe(false);
    },
  );
});
