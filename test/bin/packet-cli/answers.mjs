// A good answer for every role of a packet, and the role that a prompt asks for.

const titles = {
  implementation: 'impl',
  'precision review': 'review',
  'consolidated review': 'review_consolidate',
  'static verification': 'static_verify',
  'test design': 'test_design',
  'test implementation': 'test_impl',
  verification: 'verify',
};

/** By the heading of its role template. */
export function roleIn(prompt) {
  const template =
    /^--- BEGIN ROLE TEMPLATE ---\n(.*?)\n--- END ROLE TEMPLATE ---$/ms.exec(prompt)?.[1] ?? '';
  const title = /^# Role: (.+)$/m.exec(template)?.[1];
  if (title === undefined) throw new Error('the prompt has no role');
  return titles[title] ?? title;
}

const sections = (headings, more = {}) =>
  headings.map((heading) => `## ${heading}\n${more[heading] ?? 'None.'}\n`).join('\n');

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

const brief =
  sections(['Summary', 'Acceptance', 'Scope', 'Constraints', 'Verify Commands'], {
    'Verify Commands': '```sh\ntest -e src/app.txt\n```',
  }) + `\n## Updated Context Pack\n\n${sections(packHeadings, { '0. Goal': 'A greeting that is polite.' })}`;

const review = sections(['Findings', 'Test gaps', 'Breaking changes', 'Minimal fix']);

const answers = {
  brief,
  review,
  review_consolidate: review,
  verify: sections(['Verify Results', 'Status'], { Status: 'PASS' }),
  runbook: sections(['Problem', 'Plan', 'Commands', 'Risks']),
  test_design: sections(['Test Matrix', 'Failure Triage Order', 'Verification Commands', 'Coverage Gaps'], {
    'Test Matrix': '| # | Scenario |\n|---|---|\n| 1 | It greets |',
  }),
  static_verify: sections(['Pre-execution checks', 'Dangerous changes', 'Rollback plan', 'Go/No-Go'], {
    'Go/No-Go': 'GO',
  }),
  test_impl: sections(['Added or Updated Tests', 'Unified Diff', 'Rationale'], {
    'Unified Diff': 'No diff required.',
  }),
};

export const answerOf = (role) => answers[role] ?? 'Done.';
