import type { Button, Card } from '../channel.ts';
import { clip } from '../clip.ts';

const looks = { plain: 'default', good: 'primary', bad: 'danger' } as const;

/** The vendor takes 30 KB for a card. */
const maxLines = 12;

/** A card in the vendor's words. Every text is plain: what people wrote cannot become markup or a mention. */
export function cardJson({ title, lines, buttons }: Card): string {
  const plain = (content: string, most: number) => ({ tag: 'plain_text', content: clip(content, most) });
  const actions = buttons.map(({ label, look, press }: Button) => ({
    tag: 'button',
    type: looks[look],
    text: plain(label, 40),
    value: { ...press },
  }));
  return JSON.stringify({
    config: { wide_screen_mode: true },
    header: { template: 'blue', title: plain(title, 120) },
    elements: [
      ...lines.slice(0, maxLines).map((line) => ({ tag: 'div', text: plain(line, 500) })),
      ...(actions.length > 0 ? [{ tag: 'action', actions }] : []),
    ],
  });
}
