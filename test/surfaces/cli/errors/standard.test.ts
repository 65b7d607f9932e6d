import fs from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { explainedErrors } from '../../../../src/surfaces/cli/frame/error-help.ts';
import { faultsIn, linesIn } from './standard.ts';

const told = (fix: string, message = 'there is no task "x"') =>
  faultsIn({ code: 'NOT_FOUND', message, fix, data: {} });

describe('the standard of errors', () => {
  it('takes what can be typed', async () => {
    for (const fix of [
      'docket list shows them',
      'see them: docket gate list x',
      'add --yes',
      'chmod 600 /a/b',
    ])
      expect(await told(fix)).toEqual([]);
  });

  it.each([
    ['', /names no command/],
    ['check the path', /names no command/],
    ['docket lst shows them', /it is no command/],
    ['see them: docket gate lst x', /unknown command/],
    ['answer it: docket gate approve x --nte "…"', /unknown option/],
    ['docket list --nonsense shows them', /it has no --nonsense/],
    ['docket show undefined', /a value is missing/],
  ])('finds fault with "%s"', async (fix, fault) => {
    expect((await told(fix)).join('\n')).toMatch(fault);
  });

  it('knows a line to copy from the beginning of one', () => {
    expect(linesIn('wait, or end it: docket cancel x; docket ps shows it').map(({ line }) => line)).toEqual([
      'cancel x',
      'ps shows',
    ]);
  });
});

describe('every error in the source', () => {
  const src = path.resolve(import.meta.dirname, '../../../../src');
  const files = fs
    .readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'));

  it('has a fix', () => {
    const without = files.flatMap((name) => withoutFix(name, fs.readFileSync(path.join(src, name), 'utf8')));
    expect(without).toEqual([]);
  });

  it('has a code that is documented', () => {
    const known = new Set<string>(explainedErrors().map(({ code }) => code));
    const unknown = files
      .filter((name) => name.startsWith('surface'))
      .flatMap((name) =>
        [...fs.readFileSync(path.join(src, name), 'utf8').matchAll(/\bcode: '([A-Z_]+)'/g)]
          .filter(([, code = '']) => !known.has(code))
          .map(([said]) => `${name}: ${said}`),
      );
    expect(unknown).toEqual([]);
  });

  function withoutFix(name: string, source: string): string[] {
    if (!source.includes('new DocketError(')) return [];
    const found: string[] = [];
    new Visitor({
      NewExpression: (node) => {
        if (node.callee.type !== 'Identifier' || node.callee.name !== 'DocketError') return;
        const fix = node.arguments[2];
        const isEmpty = fix === undefined || /^(?:''|""|``)$/.test(source.slice(fix.start, fix.end));
        if (isEmpty) found.push(`${name}:${source.slice(0, node.start).split('\n').length}`);
      },
    }).visit(parseSync(name, source).program);
    return found;
  }
});
