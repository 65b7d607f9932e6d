import { describe, expect, it } from 'vitest';
import { briefHandoff, checkContract, commandsUnder } from '../../src/gate/contracts.ts';

const packHeadings = [
  '0. Goal',
  '1. Non-goals',
  '2. Scope',
  '3. Acceptance Criteria',
  '4. Fixed Decisions',
  '5. Files to Read',
  '6. Prohibited Actions',
  '7. Current State',
  '8. Open Questions',
  '9. Change History',
];
const withText = (headings: readonly string[], text = 'None.') =>
  headings.map((heading) => `## ${heading}\n\n${text}\n\n`).join('');
const pack = withText(packHeadings);
const brief = `${withText(['Summary', 'Acceptance', 'Scope', 'Constraints'])}## Verify Commands

1. First the tests:
   \`\`\`bash
   # all of them
   npm test \\
     --silent
   $ make check

   \`\`\`

## Updated Context Pack

${pack}## Notes

Not for the pack.
`;
const reasons = async (role: string, text: string) => (await checkContract(role, text)).reasons;

describe('the contract of a role', () => {
  it.each([
    ['brief', brief],
    ['verify', '## Status\n\n**PASS**\n'],
    ['verify', '## Status: PASS\n\nall fine\n'],
    ['review', withText(['FINDINGS', 'Test gaps', 'Breaking changes', 'Minimal fix proposals'])],
    ['review_consolidate', withText(['Findings', 'Test gaps', 'Breaking changes', 'Minimal fix'])],
    ['runbook', withText(['Risks', 'Problem', 'Plan', 'Commands'])],
    ['static_verify', `${staticVerify()}GO WITH CAUTION: look at the index\n`],
    ['test_impl', `${testImpl()}\`\`\`diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\`\`\`\n`],
    ['test_impl', `${testImpl()}No changes required.\n`],
    ['test_design', testDesign(4)],
    ['impl', 'anything'],
    ['constructor', 'anything'],
  ])('holds for an answer of %s', async (role, text) => {
    expect(await reasons(role, text)).toEqual([]);
    expect(await reasons(role, text.replaceAll('\n', '\r\n'))).toEqual([]);
  });

  it.each([
    ['runbook', '', ['the answer is empty']],
    ['verify', '## Status\n\nFAIL: two tests\n', ['"## Status" (line 1) says FAIL']],
    ['verify', '## Status\nPASS\n## Status\nFAIL\n', ['"## Status" (line 3) says FAIL']],
    ['verify', '## Status\n\nPASS / FAIL\n', ['"## Status" (line 1) must begin with one of PASS, FAIL']],
    ['verify', '## Status\n\nPASSABLE\n', ['"## Status" (line 1) must begin with one of PASS, FAIL']],
    ['verify', 'Status\n------\nPASS\n', ['the heading "## Status" is missing']],
    ['verify', '### Status\n\nPASS\n', ['the heading "## Status" is missing, line 1 has "### Status"']],
    ['static_verify', `${staticVerify()}NO-GO\n`, ['"## Go/No-Go" (line 13) says NO-GO']],
    [
      'test_impl',
      `${testImpl()}It says "No changes required." somewhere.\n`,
      ['"## Unified Diff" (line 9) needs a fenced diff, or the line "No changes required."'],
    ],
    ['test_design', testDesign(1), ['the answer has 8 lines that are not blank; 10 are needed']],
  ])('is broken by an answer of %s: %j', async (role, text, expected) => {
    expect(await reasons(role, text)).toEqual(expected);
  });

  it('does not count what is no heading of the document', async () => {
    const hidden = [
      '```\n## Problem\nx\n```',
      '<!--\n## Problem\nx\n-->',
      '> ## Problem\n> x',
      '- ## Problem\n  x',
      '    ## Problem',
      '## Problematic\nx',
      'see ## Problem',
    ];
    for (const text of hidden)
      expect(await reasons('runbook', `${text}\n\n${withText(['Plan', 'Commands', 'Risks'])}`)).toEqual([
        'the heading "## Problem" is missing',
      ]);
  });

  it('wants something below a heading: a comment, a rule, an empty fence or a bare heading is nothing', async () => {
    for (const nothing of ['', '<!-- todo -->\n', '---\n', '```\n```\n', '### More\n']) {
      const text = `## Problem\n${nothing}\n${withText(['Plan', 'Commands', 'Risks'])}`;
      expect(await reasons('runbook', text)).toEqual([
        '"## Problem" (line 1) has nothing below it; write "None." there',
      ]);
    }
  });

  it('keeps the spelling of a brief, and its pack below its heading', async () => {
    expect(await reasons('brief', brief.replace('## Scope', '## scope'))).toEqual([
      'the heading "## Scope" is missing, line 9 has "## scope"',
    ]);
    expect(await reasons('brief', brief.replace('## 4. Fixed', '## Fixed'))).toEqual(
      packHeadings.slice(4).map((heading) => {
        const words = heading === '4. Fixed Decisions' ? '4. Fixed' : heading;
        return `the heading "## ${words}" is missing below "## Updated Context Pack"`;
      }),
    );
    expect(await reasons('brief', brief.replace('## Updated Context Pack', '## Pack'))).toEqual([
      'the heading "## Updated Context Pack" is missing',
    ]);
  });

  it('answers soon, whatever the text is', async () => {
    const texts = [
      '>'.repeat(1e5),
      '- '.repeat(5e4),
      '# a\n'.repeat(3e4),
      '['.repeat(1e5),
      '<!--'.repeat(5e4),
    ];
    for (const text of texts) expect(await reasons('runbook', text)).toHaveLength(4);
  });
});

describe('what a brief hands on', () => {
  it('is the numbered sections of the pack, and the commands of the first fence', async () => {
    expect(await briefHandoff(brief)).toEqual({
      contextPack: `${pack.trim()}\n`,
      verifyCommands: ['npm test --silent', 'make check'],
    });
  });

  it('is nothing where there is nothing', async () => {
    expect(await briefHandoff('## Updated Context Pack\n\nnothing new\n')).toEqual({ verifyCommands: [] });
  });

  it('finds commands below a heading of level 3 too', async () => {
    const text = '## 3. Acceptance\n### Verify Commands\n~~~\nnpm test\n~~~\n';
    expect(await commandsUnder(text, 'Verify Commands')).toEqual(['npm test']);
  });
});

function staticVerify(): string {
  return `${withText(['Pre-execution checks', 'Dangerous changes', 'Rollback plan'])}## Go/No-Go\n\n`;
}

function testImpl(): string {
  return `${withText(['Added or Updated Tests', 'Rationale'])}## Unified Diff\n\n`;
}

function testDesign(rows: number): string {
  const headings = ['Failure Triage Order', 'Verification Commands', 'Coverage Gaps'];
  return `## Test Matrix\n\n${'| 1 | it works |\n'.repeat(rows)}\n${withText(headings)}`;
}
