#!/usr/bin/env node
// A stand-in for a vendor's program, by the name that it is called by. It can do the work of `docket demo`, and does it
// right the first time.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { speakers } from './demo-speakers.mjs';

const args = process.argv.slice(2);
if (args.includes('--version')) {
  process.stdout.write('0.99.0\n');
  process.exit(0);
}
const speaker = speakers[basename(process.argv[1])](args);
/** Some are told where to work, the others stand there. */
const told = args.find((arg) => /^--(cd|dir)=/.test(arg))?.replace(/^[^=]*=/, '');
const cwd = told ?? (args.includes('-C') ? args[args.indexOf('-C') + 1] : '.');

const put = (file, text) => {
  mkdirSync(dirname(resolve(cwd, file)), { recursive: true });
  writeFileSync(resolve(cwd, file), text);
};
const change = (from, to) =>
  put('src/duration.js', readFileSync(resolve(cwd, 'src/duration.js'), 'utf8').replace(from, to));
const report = (summary, ...changes) => JSON.stringify({ status: 'success', summary, changes });
const question = JSON.stringify({ status: 'blocked', summary: 'Which one?', questions: ['MIT or Apache?'] });
const test = (body) =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n` +
  `import { format, parse } from '../src/duration.js';\ntest('it', () => ${body});\n`;

/** The first whose words the conversation has. */
const acts = [
  [
    'Days:',
    async () => {
      await sleep(3000);
      change('{ h: 3600', '{ d: 86400, h: 3600');
      put('test/days.test.js', test("assert.equal(parse('2d1h'), 176400)"));
      return report('Days.', 'src/duration.js', 'test/days.test.js');
    },
  ],
  [
    'Zero:',
    async () => {
      await sleep(3000);
      change('return text;', "return text || '0s';");
      put('test/zero.test.js', test("assert.equal(format(0), '0s')"));
      return report('Zero.', 'src/duration.js', 'test/zero.test.js');
    },
  ],
  [
    '# Role: implementation',
    () => {
      put(
        'src/cli.js',
        "import { parse } from './duration.js';\n\nconsole.log(parse(process.argv[2] ?? ''));\n",
      );
      return 'The command line is there.';
    },
  ],
  ['# Role: verification', () => '## Verify Results\n- it prints 5400\n\n## Status\nPASS\n'],
  ['docs/usage.md', () => (put('docs/usage.md', '# Usage\n'), report('Usage.', 'docs/usage.md'))],
  ['CHANGELOG.md', () => (put('CHANGELOG.md', '# Changes\n'), report('Changes.', 'CHANGELOG.md'))],
  [
    'Write LICENSE',
    ({ turn }) => {
      if (turn === 1) return question;
      put('LICENSE', 'MIT License, the duration authors\n');
      return report('Licence.', 'LICENSE');
    },
  ],
  [
    'README.md',
    () => {
      appendFileSync(resolve(cwd, 'README.md'), '\n    node src/cli.js 1h30m\n');
      return report('README.md has an example; the test passes.', 'README.md');
    },
  ],
];

/** A conversation is all that it was told. */
const memory = join(process.env.HOME, '.demo-sessions', speaker.id);
const prompts =
  speaker.how === 'resume' && existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : [];
prompts.push(readFileSync(0, 'utf8'));
mkdirSync(dirname(memory), { recursive: true });
writeFileSync(memory, JSON.stringify(prompts));
speaker.begin();
const said = prompts.join('\n');
const [, act] = acts.find(([words]) => said.includes(words)) ?? ['', () => report('I do not know this.')];
const answer = await act({ turn: prompts.length });
speaker.done(answer.startsWith('{') ? JSON.parse(answer) : undefined, answer, prompts.length, 0.01);
