import { expect, it } from 'vitest';
import { report, ShellProject } from '../../support/shell-project.ts';

it('a task whose workflow is not there: what can help comes before another try', async () => {
  const project = new ShellProject(report());
  project.queue(['a'], false);
  project.write('.takt/tasks.yaml', `${project.read('.takt/tasks.yaml')}    workflow: defalt\n`);
  await project.docket('run');
  const explained = JSON.parse((await project.docket('explain', 'a', '--json')).out) as {
    next: { command: string }[];
  };
  expect(explained.next.map(({ command }) => command)).toEqual([
    'docket workflow list',
    'docket workflow new defalt',
    'docket retry a --note TEXT',
  ]);
  expect((await project.docket('workflow', 'new', 'defalt')).code).toBe(0);
  await project.docket('retry', 'a');
  await project.docket('run');
  expect((await project.docket('explain', 'a')).out).toContain('attempt 1 of work ended: ok');
});
