import { describe, expect, it } from 'vitest';
import { callName } from '../../../src/kinds/queue/format/record.ts';
import { agrees, CircleProject, doesNothing, finds, stepsOf, whyOf, writes } from '../../support/circle.ts';

const progress = [1, 2, 3, 4, 5].map((n) => writes(`hello ${n}`));

describe('a run that turns in circles is held', () => {
  it('when its fixer changes nothing, whatever it and the reviewer say', async () => {
    const review = ['It is missing a name.', 'It greets nobody.', 'Who is greeted?', 'Say whom it greets.'];
    const project = new CircleProject({ fix: [doesNothing, writes('hello')], review: review.map(finds) });
    const task = await project.ran();
    expect(stepsOf(task)).toBe('implement review fix review--2 fix--2 review--3 fix--3');
    expect(whyOf(task)).toMatch(/^loop: step fix ended 3 times, and nothing changed/);
    expect(whyOf(task)).toContain('So far: 7 calls, ');
    expect(whyOf(task)).toContain(`docket retry ${callName(task)}`);
    // One who looked lets it go on, and it counts anew.
    const more = await project.run(task.id);
    expect(stepsOf(more)).toBe(`${stepsOf(task)} review--4 fix--4 review--5 fix--5 review--6`);
    expect(whyOf(more)).toMatch(/^loop: step review/);
    expect(project.events('task.blocked')).toHaveLength(2);
  });

  it('when the files go there and back, in a clone of its own too', async () => {
    const review = ['Too short a word.', 'Too long a word now.'].map(finds);
    const project = new CircleProject({
      fix: [writes('good day'), writes('hello')],
      review: [...review, agrees],
    });
    const task = await project.ran({ worktree: true });
    expect(stepsOf(task)).toBe('implement review fix review--2 fix--2');
    expect(whyOf(task)).toMatch(
      /^loop: the files go back and forth: what fix--2 made was there before, after implement/,
    );
  });

  it('when the same is found again, although something was changed for it', async () => {
    const review = ['hello.txt:1 lacks a name.', 'hello.txt:7  lacks a name.'].map(finds);
    const task = await new CircleProject({ fix: progress, review }).ran();
    expect(stepsOf(task)).toBe('implement review fix review--2 fix--2 review--3');
    expect(whyOf(task)).toMatch(/^loop: step review found the same 3 times/);
  });
});

describe('a run goes on', () => {
  it('as long as it gets on, for five rounds and more', async () => {
    const found = [1, 2, 3, 4, 5].map((n) => finds(`Point ${n} of the list is open.`));
    const task = await new CircleProject({ fix: progress, review: [...found, agrees] }).ran();
    expect(whyOf(task)).toBe('done');
    expect(stepsOf(task)).toContain('review--6');
    expect(task.run?.trail).toBeUndefined();
  });

  it('where a reviewer says no more than which way to go', async () => {
    const found = [1, 2, 3].map(() => finds('needs work'));
    expect(whyOf(await new CircleProject({ fix: progress, review: [...found, agrees] }).ran())).toBe('done');
  });

  it('where the settings want no loops seen', async () => {
    const found = [1, 2, 3].map(() => finds('The name is still missing.'));
    const project = new CircleProject({ fix: progress, review: [...found, agrees] }, { loopAfter: 0 });
    expect(whyOf(await project.ran())).toBe('done');
  });
});
