import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { replaceFile } from '../../io/files.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Locale } from '../../kinds/board/format/intent.ts';
import { ownFolder } from '../../kinds/board/format/places.ts';
import type { Route } from '../../kinds/board/format/route/route.ts';

const name = `${ownFolder}/told.json`;
const pattern = /^\{"v":1,"seq":(\d{1,15})(?:,"group":("(?:[^"\\]|\\.)*"))?\}\s*$/;

/** How far the log was told, and to whom. */
export interface Cursor {
  seq: number;
  group?: string;
}

/** Undefined: nobody was ever told. */
export function readCursor(root: string): Cursor | undefined {
  const text = readTextFile(path.join(root, name), 4096);
  if (text === undefined) return undefined;
  const [found, seq, group] = pattern.exec(text) ?? [];
  if (found !== undefined)
    return { seq: Number(seq), ...(group !== undefined && { group: String(JSON.parse(group)) }) };
  throw new DocketError(
    'BAD_FILE',
    `${name} does not say how far the log was told`,
    'remove it: then what happens from now on is told',
    { path: name },
  );
}

/** After what was told is in the outbox: killed in between, the same keys go there again, and are there already. */
export function writeCursor(root: string, { seq, group }: Cursor): void {
  const text = JSON.stringify({ v: 1, seq, ...(group !== undefined && { group }) });
  replaceFile(path.join(root, name), `${text}\n`, { sync: true });
}

const file = 'group-language';
const locales = ['en', 'zh', 'ja'] as const;

/**
 * The language of all notices to a group: the configured one, else that of the first command in the chat. That one is kept
 * in a file, so that neither another speaker nor a restart changes it. Before the first command it is the format's Chinese.
 */
export class GroupLanguage {
  readonly #root: string;
  readonly #configured: Locale | undefined;
  #heard: Locale | undefined;

  constructor(root: string, configured?: Locale) {
    this.#root = root;
    this.#configured = configured;
    const text = readTextFile(path.join(root, ownFolder, file), 16)?.trim();
    this.#heard = locales.find((one) => one === text);
  }

  get locale(): Locale {
    return this.#configured ?? this.#heard ?? 'zh';
  }

  get isKnown(): boolean {
    return (this.#configured ?? this.#heard) !== undefined;
  }

  /** A message means this: the first command settles the language. */
  hear({ intent, locale }: Route): void {
    if (this.isKnown || intent.intent === 'unknown' || intent.intent === 'ignored_loop') return;
    replaceFile(path.join(makeOwnFolder(this.#root, ...ownFolder.split('/')), file), `${locale}\n`, {
      own: true,
    });
    this.#heard = locale;
  }
}
