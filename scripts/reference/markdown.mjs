// Markdown, made so that the same data gives the same bytes.

const note = (source) => `<!-- Made by \`npm run reference\` from ${source}. Do not edit. -->`;

export function page(title, source, ...parts) {
  return `${[note(source), `# ${title}`, ...parts.flat()].filter((part) => part !== '').join('\n\n')}\n`;
}

export function table(heads, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

export function code(text, language = '') {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** A sentence of plain text: nothing in it may pass for a tag. */
export function plain(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
