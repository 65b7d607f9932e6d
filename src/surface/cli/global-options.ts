import type { Option } from './table.ts';

export const globalOptions: readonly Option[] = [
  {
    name: 'root',
    summary: 'Work in DIR (default: the nearest folder above with a marker)',
    value: { kind: 'directory', label: 'DIR' },
  },
  { name: 'json', summary: 'One JSON value on stdout, nothing else' },
  { name: 'quiet', summary: 'Answers and errors only: no hints, no warnings' },
  { name: 'no-color', summary: 'No colours (also: NO_COLOR, CI, no terminal)' },
  { name: 'help', short: 'h', summary: 'Show help, also for one command' },
  { name: 'version', summary: 'Print the version' },
];
