// Makes docs/recording.svg, the picture in the README: `docket demo` as it is, in a terminal.
// node scripts/recording.mjs [--command LINE] [--out FILE]
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { capture } from './recording/capture.mjs';
import { film } from './recording/film.mjs';
import { svg } from './recording/svg.mjs';

const most = 150_000;
const screen = { columns: 100, rows: 30 };
const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { command: { type: 'string' }, out: { type: 'string' } } });
const out = values.out ?? join(root, 'docs', 'recording.svg');

const folder = mkdtempSync(join(tmpdir(), 'docket-recording-'));
// Always of the same name, so that the picture is; it must not be there, and is taken away.
const made = join(tmpdir(), 'docket-demo');
const line = values.command ?? `docket demo --dir ${made}`;
try {
  // A person's machine: docket is on the PATH, and nothing says where this checkout is.
  symlinkSync(join(root, 'bin', 'docket'), join(folder, 'docket'));
  if (values.command === undefined && existsSync(made)) throw new Error(`${made} is there: remove it first`);
  const pieces = capture(line, { ...screen, env: personsEnv(folder), cwd: folder });
  if (values.command === undefined) rmSync(made, { recursive: true, force: true });
  const typed = { at: (pieces[0]?.at ?? 0) - 1, text: `$ ${line.replace(/ --dir .*/, '')}\r\n` };
  const picture = svg(film([typed, ...pieces], screen), { ...screen, title: line.replace(/ --dir .*/, '') });
  if (picture.length > most) throw new Error(`the picture has ${picture.length} bytes, more than ${most}`);
  writeFileSync(out, picture);
  console.log(`${out}: ${picture.length} bytes`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function personsEnv(programs) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|CI$|NO_COLOR$|DOCKET_|GIT_)/i.test(name),
  );
  const PATH = [programs, process.env.PATH].join(delimiter);
  return { ...Object.fromEntries(kept), PATH, HOME: programs, TERM: 'xterm-256color' };
}
