import fs from 'node:fs';
import path from 'node:path';
import pins from '../clis/pins.json' with { type: 'json' };

export type CliName = keyof typeof pins;

/** How one CLI is led to the scripted model. The product knows nothing of this: a user has a real login instead. */
export interface Setup {
  readonly name: CliName;
  /** The model to ask for, where the CLI must be told one. */
  readonly model?: string;
  /** Writes the CLI's own settings into a home that nobody has used before, and says what goes into its environment. */
  prepare(home: string, url: string): Record<string, string>;
}

/** The folder with the installed CLIs; scripts/agents-test.mjs puts them there. */
export function clisDir(): string {
  const dir = process.env['DOCKET_AGENTS_CLIS'];
  if (dir === undefined) throw new Error('no DOCKET_AGENTS_CLIS; run this suite by `npm run test:agents`');
  return dir;
}

const platform = `${process.platform}-${process.arch}`;
const triple = process.arch === 'arm64' ? 'aarch64-unknown-linux-musl' : 'x86_64-unknown-linux-musl';

/** The installed program and its leading arguments. */
export function commandOf(name: CliName): string[] {
  const inside = pins[name].program.replaceAll('{platform}', platform).replaceAll('{triple}', triple);
  const program = path.join(clisDir(), name, inside);
  if (!fs.existsSync(program)) throw new Error(`${name} is not installed: there is no ${program}`);
  return program.endsWith('.js') ? [process.execPath, program] : [program];
}

/** Writes a settings file below a home. */
export function settings(home: string, name: string, text: string): void {
  const file = path.join(home, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
