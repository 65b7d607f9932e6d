import { sleep } from '../../io/clock.ts';
import type { ShellLine } from '../../io/shell-line.ts';
import { DemoFailed, type Shell } from './shell.ts';

/** Five pieces of work, each in the layout that suits it. Returns the id of the task directory. */
export async function giveWork(shell: Shell): Promise<string> {
  shell.act('A small project, and five pieces of work for it');
  await shell.run('git log --stat --format=%s');
  shell.say('Two tasks for the queue, each in a clone of its own:');
  await shell.run(
    `docket add "Days: parse('2d1h') is 176400, format(86400) is '1d'. Add test/days.test.js." --worktree --name days`,
  );
  await shell.run(
    `docket add "Zero: format(0) is '0s'; it is empty now. Add test/zero.test.js." --worktree --name zero`,
  );
  shell.say('A packet: it goes through stages, and may change one file only:');
  await shell.run(
    'docket packet new --id cli --intent build --goal "src/cli.js prints the seconds of its argument"' +
      ' --allow src/cli.js --command "node src/cli.js 1h30m | grep -qx 5400"',
  );
  shell.say('A task on the board, for whoever is free:');
  await shell.run('docket board init');
  await shell.run('docket say "create task: Add an example to README.md"');
  shell.say('And a task directory, in which several agents work on one thing:');
  const made = await shell.read('docket task create --title "Get 1.0 ready" --topology swarm --quiet');
  return made.trim();
}

/** Three agents at once; one needs a person. */
export async function askPerson(shell: Shell, id: string, mustAsk: boolean): Promise<void> {
  shell.act('Three agents on one task, and one of them has a question');
  const codes = mustAsk ? [5] : [5, 0];
  const code = await shell.run(`docket task run ${id} --actions .docket/actions.json`, codes);
  if (code === 0) return shell.say('None of them asked.');
  await shell.run('docket needs-me');
  shell.say('You answer; its conversation goes on with your words.');
  await shell.run(`docket gate approve ${id} --note "MIT"`);
}

/** Everything at once. In the middle docket itself is killed. */
export async function runAll(shell: Shell, mustBeCaught: boolean): Promise<void> {
  shell.act('Everything at once, and docket is killed in the middle');
  const line = 'docket run --all --concurrency 3';
  const running = shell.start(line);
  await untilAtWork(shell, running);
  await shell.kill(running);
  shell.say('docket is gone, its agents are not: they go on, and what they say is kept in files.');
  await shell.run('docket ps');
  shell.say('The next run takes up what they did. Nothing is asked for twice.');
  await shell.run(line, mustBeCaught ? [5] : [5, 0]);
  shell.say('The board gives its task to a worker:');
  await shell.run('docket board autopilot 1');
}

/** Waits until two agents of the queue are at work, and a moment longer, for those who watch. */
async function untilAtWork(shell: Shell, { ended }: ShellLine): Promise<void> {
  const over = ended.then((end) => end.code);
  const wait = (ms: number): Promise<number | undefined> => Promise.race([over, sleep(ms, undefined)]);
  let code = await wait(0);
  while (code === undefined && shell.agentsOfQueue() < 2) code = await wait(50);
  code ??= await wait(1000);
  if (code !== undefined)
    throw new DemoFailed(`docket run ended with exit code ${code}, and was to be killed in the middle`);
}

interface Shown {
  status: string;
  steps: { attempt: number }[];
}

/** A claim that does not hold is not believed. */
export async function mendCaught(shell: Shell, isScripted: boolean): Promise<void> {
  const zero = await shell.ask<Shown>('show zero');
  if (zero.status === 'done' && !isScripted)
    return shell.say('What the agents claimed was true: nothing had to be caught.');
  shell.act('Caught: an agent says that all tests pass, and they do not');
  if (isScripted) {
    const days = await shell.ask<Shown>('show days');
    const calls = [days, zero].map(({ steps }) => steps[0]?.attempt ?? 0).join();
    shell.check('the crash cost no call: one for days; three for zero, which was sent back twice', {
      isSo: calls === '1,3',
      found: calls,
    });
  }
  shell.check('zero is not done: docket ran the tests itself', {
    isSo: zero.status === 'blocked',
    found: zero.status,
  });
  await shell.run('docket explain zero | head -11');
  shell.say('A word from you, in the same conversation:');
  await shell.run(`docket retry zero --note "Write '0s' only where nothing else is written."`);
  await shell.run('docket run');
}

/** What came of it all. */
export async function showResults(shell: Shell, id: string): Promise<void> {
  shell.act('Done, and proved: look at it, merge it');
  await shell.run('docket diff zero');
  shell.say('What was made in your own tree is yours to commit; the clones have branches:');
  await shell.run('git add --all');
  await shell.run('git commit --quiet --message "Command line, docs, licence"');
  await shell.run('docket merge --queue');
  await shell.run('git log --oneline --graph');
  const seconds = await shell.read('node src/cli.js 2d1h30m');
  await shell.run('docket status');
  const [days, zero, packet, directory, board] = await Promise.all([
    shell.ask<Shown>('show days'),
    shell.ask<Shown>('show zero'),
    shell.ask<Shown>('packet status cli'),
    shell.ask<Shown>(`task show ${id}`),
    shell.ask<{ outcome: { task?: Shown } }>('board status T-001'),
  ]);
  shell.check('the days of one clone and the command line of the packet work together', {
    isSo: seconds.trim() === '178200',
    found: seconds,
  });
  const found = [days, zero, packet, directory, board.outcome.task].map((task) => task?.status);
  shell.check('five of five tasks are done', { isSo: found.every((status) => status === 'done'), found });
}
