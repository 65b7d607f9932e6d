import { expect, it } from 'vitest';
import { PacketProject } from '../../support/packet-project.ts';

it("an agent of a packet that changes the project's own settings or hooks holds the packet", async () => {
  // From where its agents work: nothing keeps an agent without a sandbox from it.
  const git = '../../../../.git';
  const shell = `echo evil > ${git}/hooks/post-merge; git --git-dir ${git} remote add evil https://evil.invalid`;
  const project = await PacketProject.with('safe_impl', {
    gemini_review: [{ say: '## Status\nPASS\n', shell }],
  });
  const ran = await project.run();
  expect(ran.task).toMatchObject({ status: 'blocked', reason: { kind: 'scope', who: 'a person' } });
  const why = ran.task.status === 'blocked' ? ran.task.reason.text : '';
  expect(why).toContain('.git/hooks/post-merge');
  expect(why).toContain(`docket packet run ${project.id}`);
});
