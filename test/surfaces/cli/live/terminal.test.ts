import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ended, start } from '../../../support/child.ts';
import { report, ShellProject } from '../../../support/shell-project.ts';
import { Terminal } from '../../../support/terminal.ts';

const docket = fileURLToPath(new URL('../../../../bin/docket', import.meta.url));
const script = '/usr/bin/script';

/** docket in a real pseudo-terminal of 60 columns; `type` is called with what it has printed so far. */
async function inTerminal(project: ShellProject, args: string, type?: (out: string) => string | undefined) {
  const line = `stty cols 60 rows 24 && exec '${process.execPath}' '${docket}' ${args}`;
  const child = start(script, ['-qefc', line, '/dev/null'], {
    cwd: project.root,
    env: { ...project.env, TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout?.on('data', (text: Buffer) => {
    out += text.toString();
    const keys = type?.(out);
    if (keys !== undefined) child.stdin?.write(keys);
  });
  const { code, out: bytes } = await ended(child);
  const terminal = new Terminal(60);
  terminal.write(bytes);
  return { code, bytes, terminal };
}

describe.skipIf(!existsSync(script))('in a real terminal', () => {
  it('what runs is drawn in place, and nothing of it is left', async () => {
    const project = new ShellProject(`echo one; await seen; ${report({ summary: '日本語 \u001B[2J' })}`);
    project.queue(['a', 'b'], true);
    const { code, bytes, terminal } = await inTerminal(project, 'run --concurrency 2', (out) => {
      // oxlint-disable-next-line no-control-regex -- our own colours
      if (/ work .* one\r\n.* work .* one\r\n/.test(out.replaceAll(/\u001B\[\d+m/g, ''))) project.cue('seen');
      return undefined;
    });
    expect(code).toBe(0);
    expect(bytes).toContain('0/2 done, 2 running');
    expect(bytes).not.toContain('[?25l');
    expect(bytes).not.toContain('\u001B[2J');
    const left = terminal.lines.filter((line) => line !== '');
    expect(left.filter((line) => /running|work +sh/.test(line))).toEqual([]);
    expect(left).toContain('a is done');
    expect(left).toContain(String.raw`b work: done: 日本語 \e[2J`);
    expect(left.filter((line) => line.startsWith('done '))).toHaveLength(2);
    expect(terminal.cursor.column).toBe(0);
  });

  it('Ctrl-C leaves it clean, with 130', async () => {
    const project = new ShellProject('echo one; await never');
    project.queue(['a'], false);
    let pressed = false;
    const { code, terminal } = await inTerminal(project, 'run', (out) => {
      if (pressed || !out.includes('one')) return undefined;
      pressed = true;
      return '\u0003';
    });
    expect(code).toBe(130);
    const left = terminal.lines.filter((line) => line !== '');
    expect(left[0]).toMatch(/^(\^C)?stopping: running work goes back/);
    expect(left.filter((line) => /\d running/.test(line))).toEqual([]);
    expect(terminal.cursor.column).toBe(0);
  });
});
