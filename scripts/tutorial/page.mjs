// How a page that is run has to be written:
//   ```sh    run by `sh -e`, in the order of the page. Folder and exported variables last from block to block.
//   ```text  right behind it: what it prints, stdout and stderr. Without one the block prints nothing.
//   any other block is a file; the line before it ends with the file's name, as in "Write this to `a.js`:"

/** @returns {({kind: 'run', line, end, code, output?: {line, text}} | {kind: 'file', line, name, text})[]} */
export function stepsOf(page) {
  const steps = [];
  let last; // the line of words before a block, or the commands that an output belongs to
  for (const part of partsOf(page.split('\n'))) {
    if (part.language === undefined) {
      if (part.text.trim() !== '') last = part.text;
    } else if (part.language === 'sh') {
      const { line, end, text: code } = part;
      steps.push((last = { kind: 'run', line, end, code }));
    } else if (part.language === 'text') {
      if (last?.kind !== 'run' || last.output) throw new Error(`${part.line}: an output without its command`);
      last.output = { line: part.line, text: part.text };
    } else {
      const [, name] = /`([^`]+)`:$/.exec(typeof last === 'string' ? last.trim() : '') ?? [];
      if (name === undefined)
        throw new Error(`${part.line}: the line before a file has to end with its name, as in \`a.js\`:`);
      steps.push({ kind: 'file', line: part.line, name, text: part.text });
      last = undefined;
    }
  }
  return steps;
}

/** Lines of words, and blocks with the number of the line at which they begin. */
function* partsOf(lines) {
  for (let at = 0; at < lines.length; at += 1) {
    const [, language] = /^```(\w*)$/.exec(lines[at].trimEnd()) ?? [];
    if (language === undefined) yield { text: lines[at] };
    else {
      const end = lines.indexOf('```', at + 1);
      if (end < 0) throw new Error(`${at + 1}: this block has no end`);
      const text = lines.slice(at + 1, end).join('\n');
      yield { language, line: at + 1, end: end + 1, text };
      at = end;
    }
  }
}

/** The page with other outputs behind some of its commands. */
export function withOutput(page, outputs) {
  const lines = page.split('\n');
  for (const [step, printed] of [...outputs].toReversed()) {
    const { output, end } = step;
    const block = printed === '' ? [] : ['```text', ...printed.split('\n'), '```'];
    if (output) lines.splice(output.line - 1, output.text.split('\n').length + 2, ...block);
    else lines.splice(end, 0, '', ...block);
  }
  return lines.join('\n');
}
