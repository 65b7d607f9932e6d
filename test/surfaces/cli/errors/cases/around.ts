import { no, type CaseSet } from '../case.ts';

/** What is around the work: set-up, the demonstration, the ways to people. */
export const around: CaseSet = {
  title: 'around the work',
  make: (place) => {
    place.repository();
    // Nobody listens there.
    place.write('.docket/config.yaml', 'notify: {webhook: "http://127.0.0.1:9/hook"}\n');
    place.write('AGENTS.md', new Uint8Array([0xc4, 0x41]));
  },
  cases: [
    { ...no('notify test', 'IO', 'webhook', '127.0.0.1'), told: true },
    { ...no('init --agents-md', 'BAD_FILE', 'UTF-8'), at: 'AGENTS.md' },
    no('demo --agent nobody', 'NOT_FOUND', 'nobody'),
    no('demo --dir .', 'REFUSED', 'project', 'not empty'),
    no('doctor now', 'USAGE', '"now"'),
    no('init now', 'USAGE', '"now"'),
    no('mcp --as "a b" --print-config', 'INVALID', 'a b'),
    no('skill install --dir skills --user', 'USAGE', '--dir'),
    no('skill show now', 'USAGE', '"now"'),
    no('status --layout nowhere', 'USAGE', 'nowhere'),
    no('needs-me --layout nowhere', 'USAGE', 'nowhere'),
    no('add --from T-9', 'NOT_FOUND', 'T-9'),
  ],
};
