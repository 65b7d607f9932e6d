import { reportsIn } from './handed-in.ts';

const longest = 2000;
const longestLine = 200;
const report = /^[ \t]*<<<report[^\n]*\n[\s\S]*?(?:^[ \t]*>>>[ \t]*$|$(?![\s\S]))/gm;
const tag = /^\[[^[\]:\n]+:\s*\d+\]\s*|\[[^[\]:\n]+:\s*\d+\]\s*$/g;

/** What an answer comes to: its last paragraph that is more than a tag, because agents sum up at the end, or its reports. */
export function summaryOf(answer: string, reports: readonly string[]): string {
  const said = answer
    .replaceAll(report, '')
    .split(/\n\s*\n/)
    .map((part) => part.trim().replaceAll(tag, '').trim())
    .filter((part) => part !== '')
    .at(-1);
  return (said ?? headsOf(reportsIn(answer, reports))).slice(0, longest);
}

/** Each report by its name and how it begins: `review.md: Two findings`. */
function headsOf(reports: ReadonlyMap<string, string>): string {
  const heads = [...reports].map(([name, text]) => {
    const lines = text.split('\n').map((line) => line.trim().replace(/^(?:#+|>|[-*])\s+/, ''));
    return `${name}: ${(lines.find((line) => line !== '') ?? '').slice(0, longestLine)}`;
  });
  return heads.length > 0 ? heads.join('\n') : 'it answered without a word';
}
