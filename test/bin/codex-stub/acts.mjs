// What the stub does in a turn. `[[name]]` or `[[name:word]]` in the latest prompt of its thread that has one decides.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cue } from './diary.mjs';

const token = /\[\[([a-z0-9]+)(?::([\w.-]+))?\]\]/;
const forever = () => new Promise(() => setInterval(() => undefined, 2 ** 30));
const report = (status, summary, more = {}) => JSON.stringify({ status, summary, ...more });
const out = '../../../../outside';

/** Each returns the turn's last message; undefined: there is none. */
const acts = {
  success: ({ title }) => report('success', `Did ${title}.`, { nextActions: [`look at ${title}`] }),
  /** Once; when it is resumed it has what it needs. */
  blocked: ({ title, turn }) =>
    turn > 1
      ? report('success', `Did ${title} after an answer.`)
      : report('blocked', `${title} cannot go on.`, { questions: [`Which way for ${title}?`, 'And why?'] }),
  stuck: ({ title }) => report('blocked', `${title} cannot go on.`, { questions: ['Which way now?'] }),
  failed: ({ title }) => report('failed', `${title} went wrong.`, { errors: ['the build is broken'] }),
  /** Points to a line of the project and to a command. */
  proof: ({ title }) =>
    report('success', `Did ${title}.`, {
      evidence: [
        { kind: 'file', ref: 'a.txt:1', note: 'the line' },
        { kind: 'command', ref: 'npm test', note: 'all green' },
      ],
    }),
  garbage: () => 'All done! {"status": "succ',
  silent: () => undefined,
  exit3() {
    process.stderr.write('the machine is on fire\n');
    process.exit(3);
  },
  async hang() {
    // Shells of real agents leave the group; what they started has to be found all the same.
    spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    await forever();
  },
  crash(_, talk) {
    talk.half();
    process.kill(process.pid, 'SIGKILL');
    return forever();
  },
  huge({ title }, talk) {
    for (let n = 0; n < 8; n += 1) talk.output('x'.repeat(1 << 20));
    return report('success', `Did ${title}, and said ${'much '.repeat(2000)}`);
  },
  /** `stubborn`: told to go, it stays, and would go on with whatever it is answered. */
  async ask({ title, word }, talk) {
    if (word === 'stubborn') process.on('SIGTERM', () => undefined);
    return report('success', `Did ${title}: ${await talk.ask('rm -rf build')}.`);
  },
  traverse: () =>
    report('success', `${out}/summary`, {
      changes: [`${out}/changed`],
      evidence: ['file', 'command', 'text'].map((kind) => ({ kind, ref: `${out}/evidence`, note: out })),
      artifacts: { worktreePath: out, branch: out, touchedFiles: [out, '/etc/passwd'], diffStat: out },
      risks: [out],
      nextActions: [out],
      questions: [out],
      errors: [out],
      taskId: out,
      agentInstance: out,
    }),
  async wait({ title, word }) {
    await cue(word);
    return report('success', `Did ${title}.`);
  },
  /** The turn's line of a file in the folder it works in; the last one again and again. */
  script({ word, turn }) {
    const lines = readFileSync(word, 'utf8').trimEnd().split('\n');
    return lines[Math.min(turn, lines.length) - 1];
  },
};

export async function act(thread, talk) {
  const said = thread.prompts.findLast((prompt) => token.test(prompt));
  const [, name = 'success', word] = token.exec(said ?? '') ?? [];
  const title = /^# Your task: (.*)$/m.exec(said ?? '')?.[1] ?? 'it';
  // The id is a field of its answer too.
  talk.begin(...(name === 'traverse' ? [out] : []));
  talk.done(await acts[name]({ title, word, turn: thread.prompts.length }, talk));
}
