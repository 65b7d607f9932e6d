import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWorkflow } from '../../../src/workflows/find.ts';
import { one, place, write } from './place.ts';

const steps = (name: string, here: ReturnType<typeof place>) => Object.keys(findWorkflow(name, here).nodes);

describe('a name', () => {
  it("is looked for in the project, then in the user's places, then among the built-in ones", () => {
    const here = place();
    expect(steps('quick', here)).toEqual(['work']);
    write(here.base, 'home/.takt/workflows/quick.yaml', one('users'));
    expect(steps('quick', here)).toEqual(['users']);
    write(here.base, 'home/.config/docket/workflows/quick.yml', one('own'));
    expect(steps('quick', here)).toEqual(['own']);
    write(here.base, 'root/.takt/pieces/quick.yaml', one('piece'));
    expect(steps('quick', here)).toEqual(['piece']);
    write(here.base, 'root/.takt/workflows/quick.yaml', one('projects'));
    expect(steps('quick', here)).toEqual(['projects']);
  });

  it('has its texts in the same layers, in newer and in older folders', () => {
    const lines =
      '    persona: coder\n    policy: strict\n    knowledge: [deep]\n    instruction: go\n    output_contracts: { report: [{ name: a.md, format: form }] }\n';
    const here = place({
      'root/.takt/workflows/w.yaml': one('w', lines),
      'root/.takt/facets/personas/coder.md': '{extends:coder}\nMine.',
      'home/.takt/personas/coder.md': 'From home.',
      'root/.takt/policies/strict.md': 'Strict.',
      'home/.takt/facets/knowledge/deep.md': 'Deep.',
      'root/.takt/instructions/go.md': 'Go.',
      'root/.takt/facets/output-contracts/form.md': '# Form',
    });
    expect(findWorkflow('w', here).nodes['w']).toMatchObject({
      prompt: {
        persona: 'From home.\nMine.',
        policy: [{ text: 'Strict.' }],
        knowledge: [{ text: 'Deep.' }],
        instruction: 'Go.',
      },
      reports: [{ format: '# Form' }],
    });
  });

  it('moves with TAKT_CONFIG_DIR', () => {
    const here = place({ 'other/workflows/mine.yaml': one('mine') });
    expect(
      steps('mine', { ...here, env: { ...here.env, TAKT_CONFIG_DIR: path.join(here.base, 'other') } }),
    ).toEqual(['mine']);
  });

  it('that nothing has is told with the nearest', () => {
    expect(() => findWorkflow('defalt', place())).toThrow(
      expect.objectContaining({
        code: 'NOT_FOUND',
        message: 'there is no workflow defalt',
        fix: expect.stringMatching(
          /^did you mean "default"\? name one that is there \(default, .*\), or write \.takt\/workflows\/defalt\.yaml$/,
        ) as string,
      }),
    );
  });
});

describe('a path', () => {
  it('counts from the root and stays inside', () => {
    const here = place({
      'root/ci/w.yaml': one('w'),
      'root/.takt/workflows/v.yaml': one('v'),
      'outside.yaml': one('o'),
    });
    expect(steps('./ci/w.yaml', here)).toEqual(['w']);
    expect(steps('.takt/workflows/v.yaml', here)).toEqual(['v']);
    expect(steps(path.join(here.root, 'ci/w.yaml'), here)).toEqual(['w']);
    expect(() => findWorkflow('../outside.yaml', here)).toThrow(expect.objectContaining({ code: 'REFUSED' }));
    expect(() => findWorkflow('ci/x.yaml', here)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it('of a text may go up, but not out of the layer', () => {
    const here = place({
      'root/.takt/workflows/w.yaml': one('w', '    persona: ../facets/own.md\n'),
      'root/.takt/facets/own.md': 'Own.',
      'root/secret.md': 'Secret.',
      'root/.takt/workflows/bad.yaml': one('w', '    persona: ../../secret.md\n'),
    });
    expect(findWorkflow('w', here).nodes['w']?.prompt.persona).toBe('Own.');
    expect(() => findWorkflow('bad', here)).toThrow(/bad\.yaml:4:14: .*secret\.md leads out of/);
  });

  it.each(['facets/personas/coder.md', 'workflows/w.yaml'])(
    'through a link leads nowhere else: %s',
    (name) => {
      const here = place({
        'root/.takt/workflows/w.yaml': one('w', '    persona: coder\n'),
        'root/secret.md': 'Secret.',
      });
      const file = path.join(here.root, '.takt', name);
      fs.rmSync(file, { force: true });
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.symlinkSync(path.join(here.root, 'secret.md'), file);
      expect(() => findWorkflow('w', here)).toThrow(/leads out of/);
    },
  );
});

describe('what cannot be used', () => {
  it('is told as a whole', () => {
    const here = place({
      'root/.takt/workflows/w.yaml':
        'steps:\n  - name: a\n    persona: nobody\n    rules: [{ condition: x, next: b }]\n',
    });
    const run = () => findWorkflow('w', here);
    expect(run).toThrow(
      /^\.takt\/workflows\/w\.yaml:3:14: there is no persona "nobody" \(.*Write \.takt\/facets\/personas\/nobody\.md.*\n\.takt\/workflows\/w\.yaml:4:\d+: there is no step "b"/,
    );
    expect(run).toThrow(
      expect.objectContaining({ code: 'INVALID', fix: 'mend it, then try docket workflow check w' }),
    );
  });

  it.each([
    ['too large', 'x'.repeat(1024 * 1024 + 1), 'TOO_LARGE'],
    ['not text', '\uFFFF', 'INVALID'],
  ])('%s', (_, text, code) => {
    const here = place({ 'root/.takt/workflows/w.yaml': text });
    expect(() => findWorkflow('w', here)).toThrow(expect.objectContaining({ code }));
  });

  it('a text that is too large is a problem of the step', () => {
    const here = place({
      'root/.takt/workflows/w.yaml': one('w', '    persona: big\n'),
      'root/.takt/facets/personas/big.md': 'x'.repeat(300_000),
    });
    expect(() => findWorkflow('w', here)).toThrow(/w\.yaml:4:14: .*big\.md has 300000 bytes/);
  });

  it('remarks are a warning', () => {
    const here = place({ 'root/.takt/workflows/w.yaml': one('w', '    tags: [a]\n') });
    findWorkflow('w', here);
    expect(here.warnings).toEqual(['workflow w: 1 remarks; see docket workflow check w']);
  });
});
