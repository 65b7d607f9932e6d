import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { contextManifestSchema } from '../../../../src/kinds/directory/format/json-schemas.ts';
import { parseManifest } from '../../../../src/kinds/directory/format/manifest.ts';
import { yaml } from '../../../../src/schema/yaml/yaml.ts';

const good = `# What every agent is given
attachments:
  - id: api
    kind: file
    path: docs/api.md
    reason: the contract
  - id: limits
    kind: snippet
    path: ./src/limits.ts
    range: "10:20"
    mine: kept
`;

describe('the context manifest', () => {
  it('names files and snippets', () => {
    expect(parseManifest(good)).toEqual({
      attachments: [
        { id: 'api', kind: 'file', path: 'docs/api.md', reason: 'the contract' },
        { id: 'limits', kind: 'snippet', path: './src/limits.ts', range: '10:20' },
      ],
      problems: [],
    });
    v.parse(contextManifestSchema, yaml().parse(good));
  });

  it.each(['', '\n', '# only a comment\n', 'attachments:\n', 'attachments: []\n', '{}'])(
    'attaches nothing where %j stands',
    (text) => {
      expect(parseManifest(text)).toEqual({ attachments: [], problems: [] });
      v.parse(contextManifestSchema, yaml().parse(text) ?? {});
    },
  );

  it.each([
    ['- a', 1, 'expected "attachments:"'],
    ['x: 1\nattachments: no\n', 2, 'must be a list'],
    ['attachments:\n  - path: a\n', 2, 'attachments[0] has no id'],
    [`${good}  - just words\n`, 12, 'attachments[2] must have id, kind and path'],
    ['attachments:\n\n  - {id: a, kind: folder, path: b}\n', 3, 'write file or snippet'],
    ['attachments:\n  - {id: a, kind: file}\n', 2, 'has no path'],
    ['attachments:\n  - {id: a, kind: file, path: /etc/passwd}\n', 2, 'is absolute'],
    ['attachments:\n  - {id: a, kind: file, path: ../x}\n', 2, 'climbs'],
    ['attachments:\n  - {id: a, kind: file, path: "a\\0"}\n', 2, 'control character'],
    ['attachments:\n  - {id: a, kind: snippet, path: b, range: 20:10}\n', 2, 'no good range'],
    ['attachments:\n  - {id: a, kind: snippet, path: b, range: 0:4}\n', 2, 'no good range'],
    ['attachments:\n  - {id: a, kind: file, path: b, reason: [x]}\n', 2, 'reason that is no text'],
    ['attachments:\n  - id: a\n  path: [\n', 3, 'same column'],
    ['a: &a [x]\nattachments: *b\n', 2, 'alias'],
    ['{__proto__: 1}', 1, '__proto__'],
    ['['.repeat(5000), 1, 'nesting'],
  ])('says where %j is wrong', (text, line, problem) => {
    const { problems } = parseManifest(text);
    expect(problems).toEqual([{ problem: expect.stringContaining(problem), line }]);
  });

  it('keeps the good entries beside bad ones, and names every bad one', () => {
    const { attachments, problems } = parseManifest(
      `${good}  - just words\n  - {id: b, kind: file, path: /x}\n`,
    );
    expect(attachments.map(({ id }) => id)).toEqual(['api', 'limits']);
    expect(problems.map(({ line }) => line)).toEqual([12, 13]);
  });
});
