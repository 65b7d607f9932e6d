import type { Content } from '../../channel/channel.ts';
import type { Digest } from '../../channel/digest.ts';
import type { Locale } from '../../kinds/board/format/intent.ts';
import { digestNotice, readHead } from '../../render/board/notice-digest.ts';

const foldOver = 10;

/** When more than so many notices wait for a group: how many of what, and which tasks. */
export function digestIn(language: { readonly locale: Locale }): Digest {
  const render = (texts: readonly string[]): string =>
    digestNotice(
      texts.map((text) => readHead(text) ?? { tag: '[TASK]' }),
      language.locale,
    );
  return { over: foldOver, render };
}

/** Why stands in docket's own terminal: it may name files and settings. */
export const sorry: Content = {
  kind: 'text',
  text: '[TASK] docket 内部出错，未能处理这条消息 | docket could not act on this message: see its terminal',
};
