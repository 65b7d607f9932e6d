import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { command } from '../../src/adapters/command/adapter.ts';
import { setProbe } from '../../src/io/fault.ts';
import { attempt, stage } from '../support/attempt.ts';
import { ended, start } from '../support/child.ts';
import { scratch } from '../support/scratch.ts';

const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
const docket = new URL('../../bin/docket', import.meta.url).pathname;

/** In a file system of two megabytes: the first agent fills it, then there is room again. */
const script = `
mount -t tmpfs -o size=2m none "$1" && cd "$1" && mkdir .docket .takt || exit 1
node=$2 docket=$3
cat > agent.sh <<'END'
#!/bin/sh
cat > /dev/null
echo x >> began
[ -e filled ] || { : > filled; head -c 3000000 /dev/zero > ballast; }
echo '{"status":"success","summary":"it is done"}'
END
chmod +x agent.sh
echo '{"agents":{"sh":{"adapter":"command","command":["./agent.sh"]}},"defaultAgent":"sh"}' > .docket/config.yaml
for name in one two; do
  printf '  - name: %s\\n    status: pending\\n    content: do it\\n    created_at: "2026-03-01T08:00:00Z"\\n    started_at: null\\n    completed_at: null\\n' $name
done > entries
{ echo tasks:; cat entries; } > .takt/tasks.yaml
"$node" "$docket" run --json 2> /dev/null; echo "exit $?"
"$node" "$docket" run --json 2> /dev/null; echo "exit $?"
rm ballast
"$node" "$docket" run --json 2> /dev/null; echo "exit $?"
`;

describe.runIf(canMount)('a disk that is full', { timeout: 60_000 }, () => {
  it('ends the run, costs no task its turn, and is forgotten when there is room', async () => {
    const dir = path.join(scratch(), 'disk');
    fs.mkdirSync(dir);
    const args = ['-m', 'sh', '-c', script, 'sh', dir, process.execPath, docket];
    const { out } = await ended(start('unshare', args));
    const answers = out.trimEnd().split('\n');
    expect(answers.filter((line) => line.startsWith('exit'))).toEqual(['exit 75', 'exit 75', 'exit 0']);
    const said = answers.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Answer);
    expect(said.map(({ error }) => error?.code)).toEqual(['DISK_FULL', 'DISK_FULL', undefined]);
    expect(said[2]?.tasks.map(({ status }) => status)).toEqual(['done', 'done']);
  });
});

it('is told, and not that an agent crashed, where that finds no room for its last words', async () => {
  const dies = { adapter: command, command: ['sh', '-c', 'exit 3'] };
  expect((await attempt(stage(), dies)).turn.error).toMatchObject({ class: 'crashed' });
  onTestFinished(() => setProbe(undefined));
  setProbe((_, call, file) => {
    if (call === 'write' && file.includes('.room.'))
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
  await expect(attempt(stage(), dies)).rejects.toMatchObject({ code: 'DISK_FULL' });
});

interface Answer {
  error?: { code: string };
  tasks: { status: string }[];
}
