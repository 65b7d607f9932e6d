import { claimed, happened, round, workStep } from '../../../../support/queue-history.ts';
import { no, type CaseSet } from '../case.ts';
import { withStore } from '../store.ts';

/** What cannot be done with a task as it is. */
export const queue: CaseSet = {
  title: 'with a task in the queue',
  make: async (place) => {
    place.repository();
    place.write('.docket/config.yaml', 'agents: {sh: {adapter: command, command: [/bin/true]}}\n');
    for (const name of ['fix-login', 'fix-logout', 'old', 'asks'])
      await place.done(`add "Work on ${name}" --name ${name}`);
    await place.done('cancel old');
    place.names.set('asks', await idOf('asks'));
    place.names.set('login', await idOf('fix-login'));
    await withStore(place.root, async (store) => {
      const claim = await claimed(store, place.filled('{asks}'));
      const reason = 'Which port?';
      await happened(
        store,
        claim,
        round(1, workStep('work')),
        { type: 'finish', step: 'work', state: 'blocked', reason },
        { type: 'ask', gate: 'gate-work', kind: 'human-approval', step: 'work', reason },
        { type: 'block', reason: { kind: 'gate', text: reason, who: 'a person' } },
      );
      await claim.release();
    });

    async function idOf(name: string): Promise<string> {
      return String((await place.done(`show ${name}`))['id']);
    }
  },
  cases: [
    no('run', 'INVALID', 'no agent'),
    { ...no('show nobody', 'NOT_FOUND', 'nobody'), at: '/project', shown: true },
    { ...no('cancel nobody', 'NOT_FOUND', 'nobody'), at: '/project' },
    ...[
      'run nobody --agent sh',
      'merge nobody',
      'pr nobody',
      'delete nobody',
      'restore nobody',
      'repair nobody',
      'trust nobody high',
    ].map((line) => ({ ...no(line, 'NOT_FOUND', 'nobody'), at: '/project' })),
    no('run --agent nobody', 'NOT_FOUND', 'nobody'),
    no('watch --agent nobody', 'NOT_FOUND', 'nobody'),
    no('show fix', 'INVALID', '"fix"', '2 tasks'),
    no('add Work --name fix-login', 'REFUSED', 'fix-login'),
    no('diff fix-login', 'NOT_FOUND', '{login}', 'not run'),
    { ...no('merge fix-login', 'REFUSED', 'fix-login', 'queued'), shown: true },
    no('pr fix-login', 'REFUSED', 'fix-login', 'queued'),
    no('retry fix-login --from nowhere', 'INVALID', 'nowhere', 'quick'),
    no('retry fix-login --more-steps 0', 'USAGE', '--more-steps 0'),
    no('retry asks', 'REFUSED', 'asks', 'gate-work'),
    { ...no('run asks --agent sh', 'NEEDS_PERSON', '{asks}', 'gate-work', 'Which port?'), shown: true },
    no('evidence fix-login ev-123', 'NOT_FOUND', 'ev-123'),
    no('delete fix-login --keep-as "a b"', 'INVALID', 'a b'),
    no('delete fix-login old --keep-as both', 'INVALID', 'both'),
    no('delete fix-login --keep-as kept', 'REFUSED', '{login}'),
    no('restore fix-login', 'REFUSED', 'fix-login'),
    no('explain fix-login --of packet', 'NOT_FOUND', 'fix-login', 'packet'),
    no('gate approve fix-login', 'NOT_FOUND', 'fix-login'),
    no('gate approve asks gate-x', 'NOT_FOUND', 'gate-x', '{asks}'),
    no('gate approve asks --choice no', 'INVALID', 'gate-work'),
    no('answer asks yes --gate gate-x', 'NOT_FOUND', 'gate-x', '{asks}'),
    no('gate reject fix-login --note no', 'NOT_FOUND', 'fix-login'),
    no('agents try sh hi --resume s1', 'REFUSED', 'sh', 'resume'),
    no('run {login} --agent sh --dry-run --root {outside}', 'NOT_FOUND', '{login}'),
  ],
};
