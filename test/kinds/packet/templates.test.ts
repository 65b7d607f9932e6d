import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkContract } from '../../../src/gate/contracts.ts';
import { forbiddenIn } from '../../../src/kinds/packet/format/forbidden.ts';
import { findSharedRules, findTemplate } from '../../../src/kinds/packet/inputs.ts';
import { redact } from '../../../src/render/redact.ts';
import { scratch } from '../../support/scratch.ts';

const shipped = fileURLToPath(new URL('../../../prompts/packet/', import.meta.url));
const files = readdirSync(shipped, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => [name, readFileSync(path.join(shipped, name), 'utf8')] as const);
const roles = {
  gemini: ['brief', 'review', 'test_design', 'static_verify'],
  codex: ['impl', 'verify', 'review', 'test_impl'],
  copilot: ['runbook', 'review', 'review_consolidate'],
};
const stages = Object.entries(roles).flatMap(([tool, names]) => names.map((role) => [tool, role] as const));

/** What an obedient agent hands in: the template's headings, each with the word that the role asks for. */
function obedient(template: string): string {
  const word: Record<string, string> = {
    '## Status': 'PASS',
    '## Go/No-Go': 'GO',
    '## Unified Diff': 'No diff required.',
  };
  const headings = template.split('\n').filter((line) => line.startsWith('## '));
  return headings.map((heading) => `${heading}\n\n${word[heading] ?? 'None.'}\n\nWords.\n\n`).join('');
}

describe('the templates that come with docket', () => {
  it.each(stages.filter(([, role]) => role !== 'impl'))(
    'ask %s_%s for what its gate wants',
    async (tool, role) => {
      const { text, source } = findTemplate(scratch(), tool, role);
      expect(source.startsWith(shipped)).toBe(true);
      expect(await checkContract(role, obedient(text))).toEqual({ reasons: [] });
      expect((await checkContract(role, 'Done.')).reasons).not.toEqual([]);
    },
  );

  it.each(files)('%s is short, and neither redaction nor the usual forbidden paths meet it', (_, text) => {
    expect(text.split('\n').length).toBeLessThanOrEqual(61);
    expect(redact(text).count).toBe(0);
    expect(forbiddenIn([{ where: '', text }], ['.env', 'secrets/'])).toEqual([]);
  });

  it('all have a use', () => {
    const used = stages.map(([tool, role]) => findTemplate(scratch(), tool, role).source);
    const known = new Set([...used, findSharedRules(scratch()).source]);
    expect(files.map(([name]) => path.join(shipped, name)).filter((file) => !known.has(file))).toEqual([]);
  });
});

describe('a workspace’s own templates', () => {
  it('win, the more particular one first', () => {
    const root = scratch();
    const own = [
      '.docket/prompts/packet/review.md',
      '.docket/prompts/packet/codex/review.md',
      'prompts-src/codex/review.md',
    ];
    for (const name of own) {
      const file = path.join(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, name);
      expect(findTemplate(root, 'codex', 'review')).toEqual({ text: name, source: file });
    }
    expect(findTemplate(root, 'gemini', 'review').text).toBe(own[0]);
    writeFileSync(path.join(root, 'prompts-src/shared.md'), 'mine');
    expect(findSharedRules(root).text).toBe('mine');
  });

  it('give a role of one’s own its words, and an error names where to write them', () => {
    expect(() => findTemplate(scratch(), 'gemini', 'security')).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', fix: 'write .docket/prompts/packet/gemini/security.md' }),
    );
  });

  it('are never looked for outside, and must say something', () => {
    expect(() => findTemplate(scratch(), '..', 'x')).toThrow(expect.objectContaining({ code: 'INVALID' }));
    expect(() => findTemplate(scratch(), 'codex', '../x')).toThrow(
      expect.objectContaining({ code: 'INVALID' }),
    );
    const root = scratch();
    mkdirSync(path.join(root, 'prompts-src/codex'), { recursive: true });
    writeFileSync(path.join(root, 'prompts-src/codex/impl.md'), ' \n');
    symlinkSync('/etc/hostname', path.join(root, 'prompts-src/codex/verify.md'));
    expect(() => findTemplate(root, 'codex', 'impl')).toThrow(/is empty/);
    expect(() => findTemplate(root, 'codex', 'verify')).toThrow(/is not a plain file/);
  });
});
