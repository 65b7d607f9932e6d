import path from 'node:path';
import { onPath, withAgent, type Story } from '../story.ts';

/** The queue from the first task to the last record. */
export const queue: Story = {
  title: 'the queue',
  make: (place) => {
    place.write('slow.yaml', 'rules: [{steps: [{limit: {in: 3000}}]}]\n');
    withAgent(place, '  slow: { adapter: script, command: [./slow.yaml] }\n');
    const bare = path.join(place.dir, 'bare.git');
    place.git('init', '--quiet', '--bare', bare);
    place.git('remote', 'add', 'origin', bare);
    onPath(
      place,
      'gh',
      'case "$2" in list) echo "[]" ;; *) cat >&2; echo https://example.com/pull/7 ;; esac',
    );
  },
  lines: [
    { line: 'add "Write more" --name one --worktree', keeps: 'one' },
    'add "Later" --name two --worktree',
    'add "ASK me" --name three --worktree --priority 5',
    'add "Another" --name four --worktree --agent slow --needs one',
    'run --dry-run',
    'run one --stream',
    { line: 'run three', code: 5 },
    { line: 'run four', code: 75 },
    'list',
    'status',
    { line: 'status --watch', until: '"layouts"' },
    'needs-me',
    ...['one', 'three', 'four'].flatMap((name) => [`show ${name}`, `explain ${name}`]),
    { line: 'evidence one', keeps: { name: 'entry', field: 'entries.0.id' } },
    'evidence one {entry}',
    'logs one',
    'logs one --raw',
    { line: 'logs nobody', code: 3 },
    'gate list',
    'answer three 8080',
    'gate list three',
    'trust two',
    'trust two low',
    { line: 'retry one', code: 4 },
    'requeue two --dry-run',
    { line: 'retry four nobody', code: 3 },
    'retry four',
    'cancel two',
    { line: 'limits', keeps: { name: 'provider', field: 'limits.0.provider' } },
    'limits open {provider}',
    'cost --by provider',
    'ps',
    'ps --end-strays',
    'diff one',
    'diff one --name-only',
    'pr one',
    'merge one --dry-run',
    'merge one',
    { line: 'merge two', code: 4 },
    'disk',
    'clean --older-than 1m --dry-run',
    'delete two',
    'restore two',
    'queue archive',
    'queue migrate',
    'queue confirm-removals',
    'queue reject-removals',
    'validate',
    { line: 'watch --stream', until: '"kind":"ended"', code: 130 },
  ],
};
