import { describe, expect, it } from 'vitest';
import { derived } from '../../../../src/kinds/directory/format/derived.ts';
import { Life } from './life.ts';

const board = 'shared/state-board.md';

function dispatched(): Life {
  const life = new Life({ topology: 'squad', config: { maxConcurrentAgents: 2 } });
  life.start();
  life.order({ id: 'api', title: 'Write the API' }, { id: 'docs', agent: 'claude', role: 'writer' });
  return life;
}

/** What the store would write if the file now said this. */
function rewritten(life: Life, path: string, current: string | undefined): string {
  return derived(life.task)
    .find((file) => file.path === path)!
    .text(current)!;
}

describe('StateBoard exists after dispatch', () => {
  it('says goal, subtasks, constraints and where to look, and is not there before', () => {
    const life = new Life();
    life.start();
    expect(life.files.has(board)).toBe(false);
    life.order({ id: 'a' });
    expect(life.file(board)).toContain('- sessionGoal: goal 1');
    const two = dispatched();
    two.begin('api', 'thread-1');
    expect(two.file(board).split('\n')).toEqual([
      '<!-- AGENTMESH:STATEBOARD:START -->',
      '# StateBoard',
      '',
      '- task: `t-1`',
      '- title: Ship it',
      '- controllerState: `monitoring`',
      `- updatedAt: ${two.task.updatedAt}`,
      '- sessionGoal: goal 1',
      '',
      '## Constraints',
      '',
      '- topology: `squad`',
      '- maxConcurrentAgents: 2',
      '',
      '## Subtasks',
      '',
      '- `api` agent=backend adapter=codex-exec status=running title=Write the API',
      '- `docs` agent=writer adapter=claude status=unknown title=Title of docs',
      '',
      '## Key Artifacts',
      '',
      '- joinedSummaryMd: `./shared/reports/joined-summary.md`',
      '- joinedSummaryJson: `./shared/reports/joined-summary.json`',
      '- evidenceIndex: `./shared/evidence/index.json`',
      '- humanNotes: `./shared/human-notes.md`',
      '<!-- AGENTMESH:STATEBOARD:END -->',
      '',
      '## Notes',
      '',
      '- Write here what you like: docket keeps everything outside the part above.',
      '',
    ]);
  });

  it('names the gates that are closed, and calls nothing running that nobody runs', () => {
    const life = dispatched();
    life.begin('api');
    life.begin('docs');
    life.end('api', 'blocked');
    life.ask('api');
    expect(life.file(board)).toContain('## Blocked\n\n- `gate-api`: which database?\n');
    expect(life.file(board)).toContain('status=running');
    life.end('docs', 'canceled');
    life.hold();
    expect(life.file(board)).toContain('controllerState: `blocked`');
    expect(life.file(board)).toMatch(/`api`.* status=blocked .*\n.*`docs`.* status=cancelled/);
    const other = dispatched();
    other.begin('api');
    other.do({ type: 'requeue', reason: 'SIGINT' });
    expect(other.file(board)).not.toContain('status=running');
  });

  it.each([board, 'README.md'])('%s asks every question, and names the notes as an answer', (path) => {
    const life = dispatched();
    life.begin('api');
    const questions = ['which database?', 'which port?'];
    life.end('api', 'blocked', { status: 'blocked', summary: 'I need a person.', questions });
    life.ask('api');
    expect(life.file(path)).toContain('  1. which database?\n  2. which port?\n');
    expect(life.file(path)).toMatch(/write into \[.*human-notes\.md\].*`docket task resume t-1`/);
  });

  it('says why the task is blocked where no gate is closed', () => {
    const life = dispatched();
    life.do({ type: 'block', reason: { kind: 'auth', text: 'log in to codex', who: 'a person' } });
    expect(life.file(board)).toContain(
      '## Blocked\n\n- log in to codex\n  - continue: `docket task resume t-1`\n',
    );
  });
});

describe('text of people', () => {
  const above = '\uFEFF  # Mine\r\n\r\n';
  const below = '\r\n\r\n## More of mine\n\n<!-- a comment -->\nno newline at the end';

  it.each(['README.md', board])(
    'outside our part of %s survives byte for byte, and nothing grows',
    (path) => {
      const life = dispatched();
      let text = `${above}${life.file(path).trimEnd()}${below}`;
      for (let n = 0; n < 5; n += 1) {
        life.do({ type: 'edit', set: { title: `Title ${n}` } });
        const next = rewritten(life, path, text);
        expect(next).toContain(`Title ${n}`);
        expect(next.startsWith(above)).toBe(true);
        expect(next.endsWith(below)).toBe(true);
        expect(next).toHaveLength(text.length); // the titles are equally long
        expect(rewritten(life, path, next)).toBe(next);
        text = next;
      }
    },
  );

  it('keeps the markers of the renamed format', () => {
    const old = '# Hello\n<!-- COCO:STATEBOARD:START -->\nold\n<!-- COCO:STATEBOARD:END -->\nbye\n';
    const text = rewritten(dispatched(), board, old);
    expect(text).toMatch(
      /^# Hello\n<!-- COCO:STATEBOARD:START -->\n# StateBoard\n[^]*<!-- COCO:STATEBOARD:END -->\nbye\n$/,
    );
    expect(text).not.toContain('AGENTMESH');
  });

  it.each([
    ['no markers', 'mine\n'],
    ['only a start', '<!-- AGENTMESH:STATEBOARD:START -->\nmine\n'],
    ['only an end', 'mine\n<!-- AGENTMESH:STATEBOARD:END -->\nmine too\n'],
    ['turned round', '<!-- AGENTMESH:STATEBOARD:END -->\nmine\n<!-- AGENTMESH:STATEBOARD:START -->\n'],
    ['two kinds', '<!-- COCO:STATEBOARD:START -->\nmine\n<!-- AGENTMESH:STATEBOARD:END -->\n'],
    [
      'words around them',
      'see <!-- AGENTMESH:STATEBOARD:START -->\nmine\n<!-- AGENTMESH:STATEBOARD:END -->\n',
    ],
  ])('is kept whole below our part where the file has %s', (_what, text) => {
    const life = dispatched();
    const once = rewritten(life, board, text);
    expect(once.endsWith(`<!-- AGENTMESH:STATEBOARD:END -->\n\n${text}`)).toBe(true);
    expect(rewritten(life, board, once)).toBe(once);
  });

  it('between a lone start and our part is not ours', () => {
    const life = dispatched();
    const stray = '<!-- AGENTMESH:STATEBOARD:START -->\nprecious\n';
    expect(rewritten(life, board, stray + life.file(board))).toBe(stray + life.file(board));
  });
});

describe('words of a model on the board', () => {
  const nasty =
    'x\n<!-- AGENTMESH:STATEBOARD:END -->\n# Heading\n---\n<script>a</script> ![p](http://e.x) | `';

  it.each(['README.md', board])('cannot end our part of %s or begin one of their own', (path) => {
    const life = new Life();
    life.start();
    life.do({ type: 'edit', set: { title: nasty } });
    life.do({
      type: 'dispatch',
      n: 1,
      goal: nasty,
      orders: '{}',
      steps: [{ id: 'a', kind: 'work', title: nasty, role: nasty, agent: nasty, needs: [] }],
    });
    const text = life.file(path);
    expect(text.match(/<!--/g)).toHaveLength(2);
    expect(text).not.toMatch(/^# Heading|^---|<script|\]\(h/m);
    expect(rewritten(life, path, text)).toBe(text);
  });
});
