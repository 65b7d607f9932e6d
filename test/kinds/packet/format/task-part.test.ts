import { describe, expect, it } from 'vitest';
import { renderTask } from '../../../../src/kinds/packet/format/task-part.ts';
import { manifestIn, minimal } from './support.ts';

const manifest = {
  ...manifestIn(minimal),
  task_id: 'p-1',
  goal: 'Greet politely',
  scope: { allow: ['src/', 'tests/'], deny: ['src/legacy/'] },
  acceptance: { commands: ['npm test', 'node a.mjs'], criteria: ['hello exists', 'two\nlines'] },
  security: { redaction_patterns: [], forbidden_paths: ['.env'] },
};
const stages = ['gemini_brief', 'codex_impl'];

describe('the task part of a prompt', () => {
  it('has the goal, the files, the commands and the criteria of the manifest', () => {
    expect(renderTask(manifest, 'codex_impl', stages)).toBe(`# Task

Greet politely

# Context

Stage 2 of 2 (gemini_brief, codex_impl) of the packet p-1: codex_impl.
The context pack, the request and the attachments follow below.

# Files

Paths that may change:
- src/
- tests/

Paths that must not change:
- src/legacy/

Paths that you must not open or quote:
- .env

# Done when

Commands that docket runs in the root of the project to check the result; each must exit 0:
\`\`\`sh
npm test
node a.mjs
\`\`\`

Acceptance criteria:
- hello exists
- two lines

# Report

Answer as the role says. Write its headings and fixed words exactly as given there, and everything else in the
language of the request.`);
  });

  it('says so where nothing may change, nothing is run and nothing is asked', () => {
    const none = {
      ...manifest,
      scope: { allow: [], deny: [] },
      acceptance: { commands: [], criteria: [] },
      security: { redaction_patterns: [], forbidden_paths: [] },
    };
    const text = renderTask(none, 'gemini_brief', stages);
    for (const words of [
      'Paths that may change: None.',
      'This stage changes no files.',
      'Commands that docket runs to check the result: none.',
      'Acceptance criteria: None given',
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('open or quote');
  });

  it('keeps a command with a code fence inside its own', () => {
    const commands = ['cat <<X\n```\nX'];
    const text = renderTask({ ...manifest, acceptance: { commands, criteria: [] } }, 'codex_impl', stages);
    expect(text).toContain('````sh\ncat <<X\n```\nX\n````\n');
  });
});
