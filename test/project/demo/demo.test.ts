import { execFile, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { vendorNames } from '../../../src/adapters/adapters.ts';
import { bin } from '../../support/child.ts';
import { faultsOf } from '../../support/published-schema.ts';
import { scratch } from '../../support/scratch.ts';

const program = fileURLToPath(new URL('../../../bin/docket', import.meta.url));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** A user with an empty home, whose temporary files the test sees. */
function user(home = scratch()): { env: Record<string, string>; home: string; temp: string } {
  const temp = path.join(home, 'tmp');
  fs.mkdirSync(temp);
  const { PATH = '', DOCKET_STATE, ...rest } = process.env as Record<string, string>;
  return { env: { ...rest, PATH, HOME: home, TMPDIR: temp }, home, temp };
}

/** Nobody asks whether they are good. */
const logins = { ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k', COPILOT_GITHUB_TOKEN: 'k' };

function demo(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'demo', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}

describe('docket demo', () => {
  it('needs nothing but node and git, shows every command, and leaves a folder to look around in', async () => {
    const { env, home, temp } = user();
    // A key that cannot be used now is nothing to stop for.
    fs.writeFileSync(path.join(home, '.gitconfig'), '[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = false\n');
    const { code, stdout, stderr } = await demo([], env);
    expect(code, `${stderr}\n${stdout}`).toBe(0);
    expect(stdout).toContain('zero is not done');
    expect(stdout).toContain('the crash cost no call');
    expect(stdout).toContain('five of five tasks are done');
    const commands = stdout.match(/^\$ (docket [a-z-]+|git [a-z]+|kill)/gm);
    expect(commands).toEqual(expect.arrayContaining(['$ docket gate', '$ kill', '$ docket merge']));
    const [folder] = fs.readdirSync(temp).filter((name) => name.startsWith('docket-demo-'));
    const repository = path.join(temp, folder!, 'duration');
    expect(stdout).toContain(`cd ${repository}\n`);
    expect(fs.readFileSync(path.join(repository, 'src/duration.js'), 'utf8')).toContain("|| '0s'");
    // The commands work as they are printed: what it used is in a book of its own.
    const lines = /^Look around.*\n(  cd [^]*?)  docket status/m.exec(stdout)?.[1] ?? '';
    const costs = execFileSync('sh', ['-c', `${lines}${program} cost`], { env, encoding: 'utf8' });
    expect(costs).toMatch(/in all .* tokens/);
    // What the user has, stays as it was: not even an account book.
    expect(fs.readdirSync(home)).toEqual(['.gitconfig', 'tmp']);
  }, 180_000);

  // They wait more than they work.
  it.concurrent.for(vendorNames)(
    'is done by %s in the same way, as one JSON value, and taken away if that is asked for',
    { timeout: 180_000 },
    async (agent, { onTestFinished }) => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-'));
      onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
      const { env, home, temp } = user(folder);
      const programs = path.join(home, 'bin');
      fs.mkdirSync(path.join(home, '.codex'));
      fs.mkdirSync(programs);
      fs.writeFileSync(path.join(home, '.codex/auth.json'), '{}');
      fs.symlinkSync(bin('demo-agent.mjs'), path.join(programs, agent));
      const { code, stdout, stderr } = await demo(['--agent', agent, '--remove', '--json'], {
        ...env,
        ...logins,
        PATH: `${programs}:${env['PATH']}`,
      });
      expect(code, `${stderr}\n${stdout}`).toBe(0);
      const answer = JSON.parse(stdout) as { commands: { line: string; code: number }[] };
      expect(faultsOf('cli/demo', answer)).toEqual([]);
      expect(answer).toMatchObject({ ok: true, agent, outcome: 'done', kept: false });
      const exits = answer.commands.map(({ line, code }) => [line.split(' ')[1], code]);
      expect(exits).toContainEqual(['task', 5]);
      // It did its work right: nothing is sent back.
      expect(exits.filter(([word]) => word === 'retry')).toEqual([]);
      expect(fs.readdirSync(temp).filter((name) => name.startsWith('docket-demo-'))).toEqual([]);
    },
  );

  it('says what is missing for an agent, before anything is made', async () => {
    const { env, home, temp } = user();
    const only = { ...env, PATH: [path.dirname(process.execPath), '/usr/bin', '/bin'].join(':') };
    expect(await demo(['--agent', 'opencode'], only)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('npm install -g opencode-ai'),
    });
    fs.mkdirSync(path.join(home, 'bin'));
    fs.symlinkSync(bin('demo-agent.mjs'), path.join(home, 'bin/codex'));
    const found = { ...only, PATH: `${path.join(home, 'bin')}:${only.PATH}` };
    expect(await demo(['--agent', 'codex'], found)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('nobody is logged in'),
    });
    expect(await demo(['--agent', 'cdex'], env)).toMatchObject({ code: 3 });
    fs.writeFileSync(path.join(temp, 'mine'), '');
    expect(await demo(['--dir', temp], env)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('not empty'),
    });
    expect(fs.readdirSync(temp)).toEqual(['mine']);
  });

  it('says that git is missing, and leaves nothing', async () => {
    const { env, home, temp } = user();
    const { code, stderr } = await demo([], { ...env, PATH: home });
    expect([code, stderr]).toEqual([3, expect.stringContaining('git is not on PATH')]);
    expect(fs.readdirSync(temp).filter((name) => name.startsWith('docket-demo-'))).toEqual([]);
  });

  it('ends its agents and takes everything away when it is stopped half way', async () => {
    const { env, temp } = user();
    const child = spawn(process.execPath, [program, 'demo'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    let said = '';
    child.stderr.on('data', () => undefined);
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (part: Buffer) => {
        said += part.toString();
        if (said.includes('$ docket run --all')) resolve();
      });
      void ended.then(() => resolve());
    });
    child.kill('SIGTERM');
    expect(await ended).toBe(130);
    expect(fs.readdirSync(temp).filter((name) => name.startsWith('docket-demo-'))).toEqual([]);
    expect(marked(temp)).toEqual([]);
  }, 120_000);
});

/** Processes that work in a folder. */
function marked(folder: string): string[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${folder}`);
      } catch {
        return false; // it is gone, or somebody else's
      }
    });
}
