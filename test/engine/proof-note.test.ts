import { expect, it } from 'vitest';
import { openDocket } from '../../src/project/docket.ts';
import { Project } from '../support/project.ts';

const claims = { report: { status: 'success', summary: 'It is good.' } };
const writes = (text: string) => ({ edit: { path: 'a.txt', write: `${text}\n` } });

/** Its conversation has what failed; what a person says about it has to get there, too. */
it('tells an agent whose work is not proved what the person said who put it back', async () => {
  const scenario = {
    rules: [
      { when: 'say two', steps: [writes('two'), claims] },
      { when: 'please', turns: [[writes('three'), claims], [claims]] },
    ],
  };
  const agent = { adapter: 'script', command: ['./.docket/actor.yaml'] };
  const acceptance = ['grep -q two a.txt'];
  const project = new Project({ agents: { actor: agent }, defaultAgent: 'actor', acceptance });
  project.write('.docket/actor.yaml', JSON.stringify(scenario));
  project.queue(['one'], false);
  const docket = await openDocket({ cwd: project.root, root: project.root, env: project.env });
  try {
    const { signal } = new AbortController();
    const [caught] = await docket.run({ signal });
    expect(caught?.task).toMatchObject({ status: 'blocked', reason: { kind: 'verify' } });
    await docket.act('retry', ['one'], { by: 'test', note: 'You have to say two.' });
    const [done] = await docket.run({ signal });
    expect(done?.task.status).toBe('done');
    const sessions = project.events('attempt.started').map(({ data }) => data['session']);
    expect(new Set(sessions).size).toBe(1);
  } finally {
    await docket.close();
  }
  expect(project.read('a.txt')).toBe('two\n');
});
