import { DocketError } from '../../errors.ts';

const start = '<!-- docket:start -->';
const end = '<!-- docket:end -->';
const marker = /^[ \t\uFEFF]*(<!-- docket:(?:start|end) -->)[ \t]*(?=\r?$)/gm;

/**
 * Somebody's text with our block in it. Every byte outside of the two markers stays, line ends are the text's own, and
 * writing the same again changes nothing. Markers that are no pair are an error: nobody can say what is ours then.
 */
export function withBlock(current: string | undefined, body: string, file: string): string {
  const text = current ?? '';
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const block = [start, ...body.trimEnd().split('\n'), end].join(eol);
  const found = [...text.matchAll(marker)].map((match) => ({
    kind: match[1] === start ? 'start' : 'end',
    at: match.index + match[0].indexOf('<'),
  }));
  if (found.length === 0) {
    if (text.trim() === '') return `${text}${block}${eol}`;
    return `${text}${text.endsWith('\n') ? '' : eol}${eol}${block}${eol}`;
  }
  const [first, last] = found;
  if (found.length === 2 && first?.kind === 'start' && last?.kind === 'end')
    return `${text.slice(0, first.at)}${block}${text.slice(last.at + end.length)}`;
  const lines = found.map(({ kind, at }) => `${kind} in line ${text.slice(0, at).split('\n').length}`);
  throw new DocketError(
    'BAD_FILE',
    `${file} has markers of docket that are no pair: ${lines.join(', ')}`,
    `leave one ${start} and one ${end} below it, or take all of them out`,
    { path: file },
  );
}

/** What an agent that works here should know of docket. ASCII, so that it fits into any text. */
export function agentsBody(acceptance: readonly string[]): string {
  return [
    '## docket',
    '',
    'Work in this repository is queued, run and checked by docket.',
    '',
    '- Do what your task says, and nothing beside it. Others may work on other tasks at the same time.',
    acceptance.length === 0
      ? '- Before you say that you are done, run the tests that belong to what you changed.'
      : `- Before you say that you are done, these must end well; docket runs them again: ${acceptance.map(quoted).join(', ')}.`,
    '- Leave the folders .docket, .takt, .agentmesh, .tmp and state alone: docket writes them. Change tasks by its commands.',
    '- What is going on: `docket list`. One task: `docket show TASK`, `docket explain TASK`.',
    '- Work that you find and that is not yours: `docket add "What is to be done"`.',
    '- Every command: `docket --help`; with `--json` for programs.',
  ].join('\n');
}

function quoted(command: string): string {
  return `\`${command.replaceAll(/[\r\n`]+/g, ' ').slice(0, 200)}\``;
}
