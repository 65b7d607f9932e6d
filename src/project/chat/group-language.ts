import path from 'node:path';
import { replaceFile } from '../../io/files.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Locale } from '../../kinds/board/format/intent.ts';
import { ownFolder } from '../../kinds/board/format/places.ts';
import type { Route } from '../../kinds/board/format/route/route.ts';

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
