import { describe, expect, it } from 'vitest';
import { digest, needsDigest } from '../../src/render/digest.ts';
import { trimLog } from '../../src/render/trim-log.ts';

const numbered = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, i) => `${word} ${i + 1}`);

const pack = `# Context Pack

## 0. Goal

Ship it.

## 1. Non-goals
- nothing else

## 2. Scope
### Allowed paths
- src/

## 3. Acceptance Criteria
\`\`\`sh
# not a heading
## 8. Open Questions
npm test
\`\`\`

## 4. Fixed Decisions
None.

## 5. Files to Read
- a.ts

## 6) Prohibited Actions
- none

## Telescope
far away

## 7. Current State
half done

## 9. Change History
`;

describe('a digest', () => {
  it('has the sections that the work needs, whole, and nothing of the hour', () => {
    expect(digest(pack)).toBe(`# Context Pack Digest
Source: context_pack.md
---

## 0. Goal

Ship it.

## 1. Non-goals
- nothing else

## 2. Scope
### Allowed paths
- src/

## 3. Acceptance Criteria
\`\`\`sh
# not a heading
## 8. Open Questions
npm test
\`\`\`

## 4. Fixed Decisions
None.

## 5. Files to Read
- a.ts

## 6) Prohibited Actions
- none
`);
    expect(digest(pack.replaceAll('\n', '\r\n'))).toBe(digest(pack));
  });

  it('says what it left out of a long section, and closes a code block that it cut', () => {
    const lines = digest(`## Scope\n\`\`\`\`\n${numbered(50).join('\n')}\n\`\`\`\`\n## Goal\nx`).split('\n');
    const after = lines.slice(lines.indexOf('line 39'));
    expect(after).toEqual(['line 39', '````', '... [12 lines truncated]', '', '## Goal', 'x', '']);
  });

  it('is the first hundred lines where no section is known', () => {
    const text = digest(`# Telescope\n${numbered(120).join('\n')}\n`);
    expect(text).toContain('---\n\n# Telescope\nline 1\n');
    expect(text).toMatch(/line 99\n\.\.\. \[21 lines truncated\]\n$/);
    expect(digest('')).toBe('# Context Pack Digest\nSource: context_pack.md\n---\n');
  });

  it('is made when the policy asks for it', () => {
    expect(['off', 'auto', 'aggressive'].map((policy) => needsDigest(policy as 'off', 8000))).toEqual([
      false,
      false,
      true,
    ]);
    expect(needsDigest('auto', 8001)).toBe(true);
    expect(needsDigest('off', 1e9)).toBe(false);
  });
});

describe('a trimmed log', () => {
  it.each([0, 1, 200, 201, 400])('of %i lines is the log', (count) => {
    const text = numbered(count)
      .map((line) => `${line}\n`)
      .join('');
    expect(trimLog(text)).toBe(text);
    expect(trimLog(text.trimEnd())).toBe(text.trimEnd());
  });

  it('of 401 lines has the first and the last 200', () => {
    const kept = [...numbered(200), '... [1 lines omitted] ...', ...numbered(401).slice(201)];
    expect(trimLog(`${numbered(401).join('\n')}\n`)).toBe(`${kept.join('\n')}\n`);
  });
});
