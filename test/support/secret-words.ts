import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { openDocket } from '../../src/project/docket.ts';
import { inFolder } from '../surfaces/cli/real-world.ts';
import { leaks } from './canaries.ts';
import { scratch } from './scratch.ts';
import { shell } from './task-project.ts';

/** One for each way in which docket can know a secret, and two that it knows by their shapes alone. */
const canaries = {
  'the environment, by its name': 'canary one "of" the env/1',
  'the environment, handed to an agent': 'canary-handed-over-2',
  'secrets.env': 'canary-of-an-odd-name-3',
  'secrets.files': 'canary-in-a-file-4',
  '.env': 'canary-of-dotenv-5',
  'its shape (GitHub)': `ghp_${'c4n4ry6'.repeat(4)}`,
  'its shape (OpenAI)': `sk-proj-${'c4n4ry7'.repeat(3)}`,
};
/** What each is searched by: quotes are written in many ways. */
const needles = Object.values(canaries).map((value) => value.replace(/ ".*/, ''));
const kinds = Object.keys(canaries);

/** All of them, as somebody pastes them, in one line. */
export const words = `Use ${Object.values(canaries).join(' ')} for it`;

/** What docket has not written: where people keep their secrets, and what they hand to it. */
const peoples = /^(?:\.env|prod\.json|given\/.*|\.takt\/workflows\/.*|.*\/human-notes\.md)$/;

/** A project in which every one of them is known, with an agent that always has a question. */
export class SecretWords {
  readonly root = path.join(scratch(), 'root');
  readonly #home = path.join(this.root, '..', 'home');

  constructor() {
    this.#become({
      HOME: this.#home,
      DOCKET_STATE: path.join(this.#home, 'state'),
      DEPLOY_TOKEN: canaries['the environment, by its name'],
      HANDED: canaries['the environment, handed to an agent'],
      ODD_NAME: canaries['secrets.env'],
    });
    const asks = shell(':', { status: 'blocked', summary: 'Which one?', questions: ['Which one?'] });
    const config = {
      agents: { sh: { ...asks, env: { KEY: '$HANDED' } } },
      defaultAgent: 'sh',
      secrets: { env: ['ODD_NAME'], files: ['~/prod.json'] },
      debug: { enabled: true },
    };
    this.write('.docket/config.yaml', JSON.stringify(config));
    this.write('.env', `API_PASSWORD='${canaries['.env']}'\n`);
    this.write('../home/prod.json', JSON.stringify({ deep: { key: canaries['secrets.files'] } }));
  }

  /** The command line takes its secrets from its own process. */
  #become(env: Record<string, string>): void {
    const before = { ...process.env };
    Object.assign(process.env, env);
    onTestFinished(() => {
      for (const name of Object.keys(env)) delete process.env[name];
      Object.assign(process.env, before);
    });
  }

  write(name: string, text: string): string {
    const file = path.join(this.root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  }

  open() {
    return openDocket({ cwd: this.root, root: this.root });
  }

  docket(...argv: string[]): Promise<string> {
    return this.ends(0, argv);
  }

  /** What it printed, if it ended so. */
  async ends(code: number, argv: readonly string[], stdin?: string): Promise<string> {
    const env = process.env as Record<string, string>;
    const ended = await inFolder(this.root, argv, {
      env,
      ...(stdin !== undefined && { stdin: pieces(stdin) }),
    });
    if (ended.code !== code) throw new Error(`it ended with ${ended.code}: ${ended.stderr}`);
    return ended.stdout.trim();
  }

  /** `file: how the secret is known`, for all that docket has written. */
  leaks(): string[] {
    return this.#found(needles).map((leak) =>
      needles.reduce((text, needle, at) => text.replace(needle, kinds[at] ?? ''), leak),
    );
  }

  /** Something was written down, with a mask where a secret was. */
  isMasked(): boolean {
    return this.#found(['[REDACTED]']).length > 0;
  }

  #found(texts: readonly string[]): string[] {
    return [this.root, this.#home].flatMap((folder) => leaks(folder, texts, peoples));
  }
}

async function* pieces(text: string): AsyncIterable<string> {
  yield text;
}
