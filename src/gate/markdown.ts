import type { MarkdownIt, Token } from 'markdown-it';

interface Fence {
  lang: string;
  text: string;
}

export interface Section {
  level: number;
  title: string;
  line: number;
  /** The raw body, with its subsections. */
  text: string;
  /** Heading and body as they stand. */
  source: string;
  /** Nothing but headings, comments and rules. */
  isEmpty: boolean;
  /** Also those in list items, where models like to put them; none in a quote. */
  fences: Fence[];
}

/** Sections begin at headings with `#` at the top of the document: none in a fence, a comment, a quote or a list. */
export async function sectionsOf(markdown: string): Promise<Section[]> {
  const source = markdown.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const { default: Parser } = await import('markdown-it');
  const blocks = blocksOf(new Parser('commonmark'), source);
  const lines = source.split('\n');
  return blocks.flatMap((block, at) => {
    if (block.heading === undefined) return [];
    const { level, title } = block.heading;
    let end = at + 1;
    while (blocks[end] !== undefined && (blocks[end]?.heading?.level ?? 7) > level) end += 1;
    const body = blocks.slice(at + 1, end);
    const until = blocks[end]?.line ?? lines.length;
    return {
      level,
      title,
      line: block.line + 1,
      text: lines.slice(block.line + 1, until).join('\n'),
      source: lines.slice(block.line, until).join('\n'),
      isEmpty: body.every((part) => part.isEmpty),
      fences: body.flatMap((part) => part.fences),
    };
  });
}

interface Block {
  /** Counted from 0. */
  line: number;
  heading?: { level: number; title: string };
  isEmpty: boolean;
  fences: Fence[];
}

/** What stands at the top of the document, in order. What is inside a line costs no time: nobody asks for it. */
function blocksOf(parser: MarkdownIt, source: string): Block[] {
  parser.core.ruler.disable(['inline', 'text_join']);
  parser.block.ruler.disable(['lheading', 'reference']); // a `---` below a line is a rule
  const blocks: Block[] = [];
  let quotes = 0;
  for (const token of parser.parse(source, {})) {
    if (token.type === 'blockquote_open') quotes += 1;
    if (token.type === 'blockquote_close') quotes -= 1;
    if (token.level === 0 && token.map !== null)
      blocks.push({ line: token.map[0], isEmpty: !saysSomething(token), fences: [] });
    const block = blocks.at(-1);
    if (!block) continue;
    if (token.level === 0 && token.type === 'heading_open')
      block.heading = { level: Number(token.tag.slice(1)), title: '' };
    if (token.level === 1 && token.type === 'inline' && block.heading) block.heading.title = token.content;
    if (token.type === 'fence' && quotes === 0)
      block.fences.push({ lang: token.info.trim().split(/\s/, 1)[0] ?? '', text: token.content });
  }
  return blocks;
}

function saysSomething({ type, content }: Token): boolean {
  if (type === 'html_block') return content.replaceAll(/<!--.*?(-->|$)/gs, '').trim() !== '';
  if (type === 'fence') return content.trim() !== '';
  return type !== 'heading_open' && type !== 'hr';
}
