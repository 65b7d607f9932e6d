import { describe, expect, it } from 'vitest';
import { explainedErrors } from '../../src/surfaces/cli/frame/error-help.ts';
import { allCases } from '../surfaces/cli/errors/cases/all.ts';
import { read } from './markdown.ts';

const page = read('docs/errors.md');

describe('docs/errors.md', () => {
  it('has a section for every code, and for no other', () => {
    const codes = [...page.matchAll(/^## (.+)$/gm)].map(([, code]) => code);
    expect(codes).toEqual(explainedErrors().map(({ code }) => code));
  });

  it.each(explainedErrors().map((error) => [error.code, error] as const))(
    'says of %s what docket help says, and what to do',
    (code, { exitCode, meaning }) => {
      const [, section = ''] = page.split(`\n## ${code}\n`);
      const [own = ''] = section.split('\n## ');
      const exit = exitCode === undefined ? 'Its exit code differs.' : `Exit code ${exitCode}.`;
      expect(own.trimStart().startsWith(`${exit} ${meaning}\n`)).toBe(true);
      expect(own).toMatch(/^What to do: \S/m);
    },
  );

  it('has no example that is not tried', () => {
    const shown = allCases.flatMap(({ cases }) => cases.filter((one) => one.shown));
    expect(page.match(/^\$ docket /gm)).toHaveLength(shown.length);
  });
});
