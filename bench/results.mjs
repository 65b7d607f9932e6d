import { readFileSync, statfsSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { number } from './support.mjs';

const intro = `# Measurements

Written by \`npm run bench\`. Every figure is a **ratio** of two things measured by turns in one run, so that it means the
same on a fast and on a slow machine: the median of the rounds' ratios, and the lowest and highest of them. The absolute
numbers are for orientation only.
`;

const results = new URL('RESULTS.md', import.meta.url);

/** Magic numbers of statfs(2). */
const fileSystems = {
  0xef53: 'ext4',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x01021994: 'tmpfs',
  0x794c7630: 'overlay',
};

export function printRow(row) {
  console.log(`  ${row.name}: ${number(row.ratio)} (${spread(row)})  ${verdict(row)}`);
  console.log(`    ${row.compared}\n    ${row.orientation}`);
}

/** `among`: the other rows that stand there stay. Each is a ratio of one run, so they may be of different ones. */
export function writeResults(rows, folder, { among = false } = {}) {
  const head = '| figure | what is compared | ratio | lowest … highest | aim | met? | for orientation |';
  const lines = rows.map((row) => {
    const cells = [
      row.name,
      row.compared,
      `**${number(row.ratio)}**`,
      spread(row),
      aim(row),
      met(row),
      row.orientation,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const table = [head, '|---|---|---|---|---|---|---|', ...(among ? merged(lines) : lines)].join('\n');
  writeFileSync(results, `${intro}\n${machine(folder)}\n\n${table}\n`);
}

/** A row is known by its figure and by what it compares. */
function merged(lines) {
  const keyOf = (line) => line.split(' | ', 2).join(' | ');
  const known = readFileSync(results, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
  const byKey = new Map([...known, ...lines].map((line) => [keyOf(line), line]));
  return [...byKey.values()];
}

function machine(folder) {
  const { type } = statfsSync(folder);
  const disk = fileSystems[type] ?? `of type 0x${type.toString(16)}`;
  return `Machine: ${os.availableParallelism()} cores, node ${process.version}, ${os.platform()} ${os.arch()}, file system ${disk}.`;
}

function spread({ low, high }) {
  return `${number(low)} … ${number(high)}`;
}

function aim({ aim: wanted }) {
  if (!wanted) return '–';
  return wanted.least === undefined ? `≤ ${wanted.most}` : `≥ ${wanted.least}`;
}

function met({ aim: wanted, ratio }) {
  if (!wanted) return '–';
  return (wanted.least === undefined ? ratio <= wanted.most : ratio >= wanted.least) ? 'yes' : '**no**';
}

function verdict(row) {
  return row.aim ? `aim ${aim(row)}: ${met(row)}` : '';
}
