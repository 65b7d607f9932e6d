import { describe, expect, it } from 'vitest';
import { Life } from './life.ts';

describe('README exists with minimal fields', () => {
  it('has id, topology and state from the first moment, and stays current', () => {
    const life = new Life();
    expect(life.file('README.md')).toMatch(
      /^<!-- \S+ -->\n# Ship it\n\n- id: `t-1`\n- topology: `swarm`\n- state: `created`\n- updatedAt: 2026-/,
    );
    life.start();
    expect(life.file('README.md')).toContain('- state: `working`');
    life.do({ type: 'cancel', reason: 'no' });
    expect(life.file('README.md')).toContain('- state: `canceled`');
  });

  it('says what is asked of a person, with the command that answers', () => {
    const life = new Life();
    life.start();
    life.order({ id: 'a' });
    expect(life.file('README.md')).not.toContain('Needs a person');
    life.begin('a');
    life.end('a', 'blocked');
    life.ask('a');
    const text = life.file('README.md');
    expect(text).toContain('- state: `input-required`');
    expect(text).toContain('`docket gate approve t-1 gate-a --note "…"`');
    expect(text).toContain('| a | backend | blocked | Title of a |');
    life.do({ type: 'answer', gate: 'gate-a', decision: 'approved' });
    expect(life.file('README.md')).not.toContain('Needs a person');
  });

  it('says why a task waits that has no gate', () => {
    const life = new Life();
    life.do({ type: 'block', reason: { kind: 'auth', text: 'log in to codex', who: 'a person' } });
    expect(life.file('README.md')).toContain('- log in to codex');
    const limited = new Life();
    limited.do({ type: 'block', reason: { kind: 'limit', text: 'until noon', who: 'docket' } });
    expect(limited.file('README.md')).not.toContain('Needs a person');
  });

  it('links only to files that are there', () => {
    const life = new Life();
    const links = () => [...life.file('README.md').matchAll(/\]\(\.\/([^)]+)\)/g)].map(([, path]) => path);
    const given = ['task.yaml', 'events.jsonl', 'shared/human-notes.md', 'shared/context-manifest.yaml'];
    expect(links().filter((path) => !life.files.has(path!))).toEqual(given);
    life.start();
    life.order({ id: 'a' });
    life.work('a');
    life.join();
    expect(links()).toContain('shared/reports/joined-summary.md');
    expect(links().filter((path) => !life.files.has(path!))).toEqual(given);
  });

  it("replaces another tool's title and state, and keeps what people wrote below", () => {
    const life = new Life();
    const foreign = '# Coco task\n\n- id: `t-1`\n- topology: `swarm`\n- state: `created`\n\nMine.\n';
    life.files.set('README.md', foreign);
    life.start();
    const text = life.file('README.md');
    expect(text.match(/^- state: .*$/gm)).toEqual(['- state: `working`']);
    expect(text).toMatch(/README:END -->\n\nMine\.\n$/);
    const before = `${text.replace('Mine.\n', '')}${foreign}`;
    life.files.set('README.md', before);
    life.do({ type: 'cancel', reason: 'no' });
    expect(life.file('README.md').match(/^- state: .*$/gm)).toEqual(['- state: `canceled`']);
  });
});
