#!/usr/bin/env node
// An agent that fails in every way that agents were seen to fail. `fault-agent.mjs <fault> [--as=plain|claude|codex]
// [--state=DIR] [--times=N] [--seconds=S] [--bytes=N]`; all other arguments, which vendors' CLIs would get, are ignored.
// `--state` is where it counts its calls: "twice, then well".
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { claude, codex, line, plain, print } from './fault-formats.mjs';

const [name, ...args] = process.argv.slice(2);
const option = (key, standard) =>
  args.find((arg) => arg.startsWith(`--${key}=`))?.slice(key.length + 3) ?? standard;
const as = option('as', 'plain');
const out = { plain, claude, codex }[as];
const seconds = Number(option('seconds', '1'));
const report = (summary, more = {}) => JSON.stringify({ status: 'success', summary, ...more });
const forever = () => new Promise(() => setInterval(() => undefined, 2 ** 30));

/** How often this fault was called before, this call included. */
function call() {
  const dir = option('state', '');
  if (dir === '') throw new Error(`${name} needs --state=DIR`);
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'calls');
  appendFileSync(file, '.');
  return readFileSync(file, 'utf8').length;
}

function well(summary = 'All went well.') {
  out.begin();
  out.done(report(summary));
}

function git(...words) {
  const done = spawnSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  if (done.status !== 0) throw new Error(`git ${words.join(' ')}: ${done.stderr}`);
}

const notice = "You've hit your limit · resets 7pm (Europe/Berlin)";
const inHours = (hours) => Math.floor(Date.now() / 1000) + hours * 3600;

const faults = {
  // 1. A limit where the answer should be, exit code 0.
  'limit-text': () => (out.begin(), out.done(notice)),
  'limit-text-extra': () => (
    out.begin(),
    out.done("You're out of extra usage · resets 2:30pm (America/New_York)")
  ),
  // 2. A limit as data.
  'limit-data'() {
    out.begin();
    if (as === 'codex') {
      const error = {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        resets_at: inHours(2),
      };
      out.failed(JSON.stringify({ error }));
    } else {
      const info = { status: 'rejected', resetsAt: inHours(2), rateLimitType: 'five_hour' };
      line({ type: 'rate_limit_event', rate_limit_info: info });
      out.failed("You've hit your limit", { api_error_status: 429 });
    }
    return 1;
  },
  // 3. It says so again whenever it is asked.
  'limit-repeats': () => (call(), out.begin(), out.done(notice)),
  // 4. Too much for the moment, then well. No money: never.
  overloaded() {
    if (call() > Number(option('times', '2'))) return well();
    out.begin();
    if (as === 'codex') out.failed('exceeded retry limit, last status: 429 Too Many Requests');
    else {
      line({
        type: 'system',
        subtype: 'api_retry',
        attempt: 1,
        max_retries: 1,
        retry_delay_ms: 10,
        error_status: 529,
        error: 'overloaded',
      });
      out.failed('API Error: 529 Overloaded', { api_error_status: 529, api_error_type: 'overloaded_error' });
    }
    return 1;
  },
  'spend-limit'() {
    out.begin();
    if (as === 'claude') out.failed('Credit balance is too low', { api_error_status: 402 });
    else out.done('You have reached your monthly spend limit.');
    return as === 'claude' ? 1 : 0;
  },
  // 5. The line is cut in the middle of a turn.
  'transport-lost'() {
    if (option('times') !== undefined && call() > Number(option('times'))) return well();
    out.begin();
    out.say('I begin');
    if (as === 'codex') out.failed('stream disconnected before completion: error sending request');
    else print('{"type":"assistant","message":{"content":[{"type":"te');
    return 1;
  },
  'closes-pipes'() {
    closeSync(0);
    try {
      writeSync(1, 'half a li');
      closeSync(1);
    } catch {
      // Whoever reads has gone, which is the point.
    }
    return 0;
  },
  // 6. No last word; or a last word and no end.
  'empty-exit': () => 0,
  'no-result': () => (out.begin(), out.say('I am on it.'), 0),
  'stays-open': async () => (well('Done, but I stay.'), forever()),
  // 7. A child that leaves the group, ignores SIGTERM and holds a port.
  'child-stays'() {
    const holder = `process.on('SIGTERM', () => {}); require('node:net').createServer().listen(0, '127.0.0.1', function () {
      require('node:fs').writeFileSync(process.argv[1], process.pid + ' ' + this.address().port); });`;
    const file = join(process.cwd(), 'holder');
    const middle = `require('node:child_process').spawn(process.execPath, ['-e', process.argv[1], process.argv[2]], { detached: true, stdio: 'ignore' }).unref();`;
    spawnSync(process.execPath, ['-e', middle, holder, file], { stdio: 'ignore' });
    const ready = setInterval(() => {
      if (!existsSync(file) || readFileSync(file, 'utf8') === '') return;
      clearInterval(ready);
      well('A server is up.');
    }, 20);
  },
  // 8. It was not allowed, nobody was asked, and it ends as if all were well.
  'permission-denied'() {
    out.begin();
    out.tool('t1', 'Bash', { command: 'rm -rf build' });
    out.toolDone('t1', 'denied');
    out.done('I could not delete the folder.', {
      permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'rm -rf build' } }],
    });
  },
  // 9. It declines.
  refusal() {
    out.begin();
    if (as === 'claude') out.done('I will not.', { stop_reason: 'refusal' });
    else out.done("I'm sorry, but I can't help with that.");
  },
  // 10. It claims success.
  'claims-failing-tests': () => (writeFileSync('test.sh', 'exit 1\n'), well('All tests pass.')),
  'claims-no-change': () => well('I changed everything.'),
  'claims-out-of-scope': () => (
    mkdirSync('elsewhere', { recursive: true }),
    writeFileSync('elsewhere/file', 'x\n'),
    well('Done.')
  ),
  'leaves-untracked': () => (writeFileSync('stray.tmp', 'x\n'), well('Done, the tree is clean.')),
  // 11. The same for ever; or to and fro.
  'same-answer': () => (call(), well('I improved it a bit more.')),
  oscillates() {
    const text = call() % 2 === 1 ? 'tabs\n' : 'spaces\n';
    writeFileSync('style', text);
    well(`Changed to ${text.trim()}.`);
  },
  // 12. A long silent tool; a stream that is dead.
  async 'silent-tool'() {
    out.begin();
    out.tool('t1', 'Bash', { command: 'make' });
    await sleep(seconds * 1000);
    out.toolDone('t1', 'made');
    out.done(report('Built.'));
  },
  'dead-stream': async () => (out.begin(), out.say('Let me think.'), forever()),
  // 13. It leaves its place.
  'leaves-tree': () => (process.chdir('..'), writeFileSync('escaped', 'x\n'), well('Done.')),
  'switches-branch': () => (git('checkout', '-q', '-b', 'other'), writeFileSync('new', 'x\n'), well('Done.')),
  'commits-on-main'() {
    writeFileSync('new', 'x\n');
    git('add', 'new');
    git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '-q', '-m', 'mine');
    well('Committed.');
  },
  compacts() {
    out.begin();
    line({
      type: 'system',
      subtype: 'compact_boundary',
      compact_metadata: { trigger: 'auto', pre_tokens: 190_000 },
    });
    out.done(report('What was I to do? I did something.'));
  },
  // 14. More than the model can hold.
  'context-overflow'() {
    out.begin();
    if (as === 'codex')
      out.failed("Codex ran out of room in the model's context window. Start a new thread.");
    else if (as === 'claude') out.failed('Prompt is too long', { api_error_status: 400 });
    else out.done('Prompt is too long');
    return as === 'plain' ? 0 : 1;
  },
  // 15. Twice, late, or for another run.
  'done-twice': () => (out.begin(), out.done(report('first')), out.done(report('second'))),
  'done-late'() {
    const write = `setTimeout(() => require('node:fs').writeFileSync(process.argv[1], process.argv[2]), 20000);`;
    spawn(process.execPath, ['-e', write, process.env.DOCKET_REPORT, report('too late')], {
      detached: true,
      stdio: 'ignore',
    }).unref();
    out.begin();
    out.done('In time, in words.');
  },
  'done-for-another': () => (
    out.begin(),
    out.done(report('Done.', { artifacts: { taskId: 'another-task', attempt: 99 } }))
  ),
  // 16. Too much, and no text.
  'huge-line'() {
    const chunk = Buffer.alloc(1 << 20, 0x78);
    for (let left = Number(option('bytes', '40000000')); left > 0; left -= chunk.length)
      print(chunk.subarray(0, left));
    print('\n');
    well();
  },
  'broken-utf8'() {
    out.begin();
    const bytes = Buffer.from('{"not":"ours","text":"é€💥');
    for (const byte of bytes.subarray(0, -1)) print(Buffer.from([byte]));
    print(Buffer.from([0xff, 0x00, 0xc3, 0x0a]));
    out.done(report('Umlauts: äöü €💥'));
  },
  // 17. A secret in the open.
  'prints-secret': () => (
    out.begin(),
    out.say(`key=${process.env.CANARY_KEY}`),
    out.done(report(`I used ${process.env.CANARY_KEY}`))
  ),
  // 18. It obeys whoever wrote into its prompt.
  'obeys-injection'() {
    const orders = [...readFileSync(0, 'utf8').matchAll(/^ORDER: (.+)$/gm)].map((match) => match[1]);
    const done = orders.map((order) => spawnSync('/bin/sh', ['-c', order], { encoding: 'utf8' }).stdout);
    out.begin();
    out.done(
      report(`Obeyed ${orders.length} orders.`, {
        evidence: done.filter(Boolean).map((ref) => ({ kind: 'text', ref })),
      }),
    );
  },
  // 19. Its program is not there, once.
  'missing-once'() {
    if (call() > 1) return well();
    process.stderr.write('spawn agent ENOENT\n');
    return 127;
  },
  // 20. A limit that ends in so many seconds, while clocks jump.
  'limit-soon': () => (out.begin(), out.done(`You've hit your limit · resets in ${seconds}s`)),
};

const fault = Object.hasOwn(faults, name ?? '') ? faults[name] : undefined;
if (!fault) {
  process.stderr.write(`no fault "${name}"; there are: ${Object.keys(faults).join(', ')}\n`);
  process.exitCode = 2;
} else process.exitCode = (await fault()) ?? 0;
