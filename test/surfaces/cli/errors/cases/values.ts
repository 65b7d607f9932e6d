import { no, type CaseSet } from '../case.ts';

/** Values that nobody can use, for what is there and for what is not. */
export const values: CaseSet = {
  title: 'a value that cannot be used',
  make: (place) => {
    place.repository();
    place.write('bad.json', '{');
    place.write('empty.json', '{}');
    place.write('latin.txt', new Uint8Array([0xc4, 0x41]));
    place.write('long.txt', 'long '.repeat(400_000));
    place.write('not.tar.gz', 'hello');
    place.write('wide.json', '{}');
  },
  cases: [
    { ...no('add Work --priority 1000', 'INVALID', '--priority 1000'), shown: true },
    no('add Work --worktree --branch "a b"', 'INVALID', '--branch', 'a b'),
    no('add Work --draft-pr', 'INVALID', 'pull request'),
    no('add Work --workflow quick --start-step nowhere', 'INVALID', 'nowhere', 'quick'),
    { ...no('add --issue-json bad.json', 'INVALID', 'number'), at: 'bad.json' },
    no('add - --name work', 'USAGE', 'text'),
    no('budget set days.money 3', 'INVALID', 'days.money'),
    no('task show ../etc', 'INVALID', '../etc'),
    no('task cancel ../etc', 'INVALID', '../etc'),
    no('packet status ../etc', 'INVALID', '../etc'),
    no('packet new --goal Work --id ../etc', 'INVALID', '../etc'),
    no('packet new --goal Work --intent nowhere', 'INVALID', 'nowhere'),
    no('workflow new "a b"', 'INVALID', 'a b'),
    { ...no('validate bad.json', 'INVALID'), at: 'bad.json', told: true },
    { ...no('add --file latin.txt', 'BAD_FILE', 'UTF-8'), at: 'latin.txt', shown: true },
    no('add --file .', 'BAD_FILE', 'project', 'folder'),
    no('add Work --attach .', 'BAD_FILE', 'project'),
    { ...no('packet new --goal Work --file latin.txt', 'BAD_FILE', 'UTF-8'), at: 'latin.txt' },
    { ...no('task import not.tar.gz', 'BAD_FILE', 'archive'), at: 'not.tar.gz' },
    no('add --file long.txt', 'TOO_LARGE', '2000002 bytes'),
    { ...no('chat feishu --config wide.json', 'NO_ACCESS', '644'), at: 'wide.json', shown: true },
    no('merge --queue --into main --root {outside}', 'REFUSED', 'no git repository'),
    no(
      'chat webhook --out https://chat.example/hook --group team --listen 0.0.0.0:8787',
      'REFUSED',
      '0.0.0.0',
    ),
  ],
};
