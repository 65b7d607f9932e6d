import { no, type CaseSet } from '../case.ts';

const broken = '.tmp/task/broken/manifest.yaml';

export const packets: CaseSet = {
  title: 'with packets',
  make: async (place) => {
    place.repository();
    for (const id of ['greet', 'broken', 'odd', 'old'])
      await place.done(`packet new --goal Greet --id ${id}`);
    place.write(broken, 'task_id: [x\n');
    place.write('.tmp/task/odd/manifest.yaml', 'task_id: odd\nbogus: 1\n');
    await place.done('packet cancel old');
  },
  cases: [
    no('packet new --goal Work --id greet', 'REFUSED', 'greet'),
    no('packet run greet --stage nowhere', 'INVALID', 'nowhere'),
    no('packet run greet --from nowhere', 'INVALID', 'nowhere'),
    no('packet resume greet --plan nowhere', 'INVALID', 'nowhere', '--plan'),
    { ...no('packet run broken', 'INVALID'), at: `${broken}:2` },
    { ...no('packet run odd', 'INVALID', 'goal'), at: '.tmp/task/odd/manifest.yaml:1' },
    { ...no('packet status broken', 'BAD_FILE'), at: `${broken}:2`, shown: true },
    { ...no('packet config broken', 'BAD_FILE'), at: `${broken}:2` },
    { ...no('packet cancel broken', 'BAD_FILE'), at: `${broken}:2` },
    { ...no('packet validate broken', 'INVALID'), at: `${broken}:2`, told: true },
    no('packet cancel old', 'REFUSED', 'old', 'canceled'),
    no('packet delete greet', 'REFUSED', 'greet'),
    no('packet archive greet', 'REFUSED', 'greet'),
    no('packet archive broken', 'REFUSED', 'broken'),
    no('packet archive greet --older-than 3', 'USAGE', '--older-than'),
    { ...no('packet review a.txt no.md', 'NOT_FOUND'), at: 'no.md' },
  ],
};
