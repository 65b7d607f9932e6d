// The protocol's own inspector as a client of `docket mcp`: a process and a connection for every request, over stdio.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const longestMs = 30_000;

/** Asks once: what the inspector printed, its exit code, and what it said beside. Nothing it started is left. */
export async function ask({ program, server, env, cwd }, ...words) {
  const args = [program, '--cli', ...server, '--format', 'json', '--quiet', ...words];
  // A group of its own: the server is the inspector's child, and ends with it whatever happens.
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => endGroup(child.pid);
  const timer = setTimeout(stop, longestMs);
  process.once('exit', stop);
  try {
    const [out, said] = [gathered(child.stdout), gathered(child.stderr)];
    const [code, signal] = await once(child, 'close');
    if (signal !== null)
      throw new Error(`the inspector did not end within ${longestMs} ms: ${words.join(' ')}`);
    if (!(await isGone(child.pid))) throw new Error(`the server outlived its client: ${words.join(' ')}`);
    return { code, out: await out, said: await said };
  } finally {
    clearTimeout(timer);
    process.off('exit', stop);
    stop();
  }
}

async function gathered(stream) {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  return text;
}

async function isGone(group) {
  for (let left = 100; left > 0; left -= 1) {
    if (!signalGroup(group, 0)) return true;
    await pause(50);
  }
  return false;
}

function endGroup(group) {
  signalGroup(group, 'SIGKILL');
}

function signalGroup(group, signal) {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}
