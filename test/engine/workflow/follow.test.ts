import { expect, it } from 'vitest';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

it('follows the log while somebody else runs the task', async () => {
  const project = await TaskProject.created();
  const stop = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    const lines = (await project.tasks()).follow(project.id, { prefix: 'agent.', signal: stop.signal });
    for await (const { type, agentInstance } of lines) {
      seen.push(`${String(agentInstance)} ${String(type)}`);
      if (seen.at(-1) === 'one agent.session') project.codex.cue('go');
      if (seen.at(-1) === 'one agent.completed') stop.abort();
    }
  })();
  await project.run(actions(subtask('one', 'wait:go'))); // it ends because the line was seen while it ran
  await following;
  expect(seen).toEqual(
    ['started', 'session', 'attempt.ended', 'completed'].map((word) => `one agent.${word}`),
  );
});
