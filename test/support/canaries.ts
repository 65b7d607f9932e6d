import fs from 'node:fs';
import path from 'node:path';

/** What a manifest of ours calls a secret. */
export const customPattern = '\\bACME-[A-Za-z]+-\\d+\\b';
export const knownSecret = { name: 'DEPLOY_TOKEN', value: 'nothing-looks-like/this+one' };

/** Secrets in the shapes in which people and programs write them; `place` tells later where a leak began. */
export function canaries(place: string): { text: string; values: string[] } {
  const long = `${place}0123456789abcdefABCDEF0123456789abcdefABCDEF`;
  const [quoted, inJson, upper] = ['quoted', 'json', 'upper'].map((shape) => `${shape}-in-${place}-7`) as [
    string,
    string,
    string,
  ];
  const tokens = [`sk-proj-${long}`, `AIza${long}`, `xoxb-1234-${long}`, `ACME-${place}-42`];
  const key = [`MIIEvQ${long}`, `MIIEvR${long}`];
  const armour = (end: string) => `-----${end} PRIVATE KEY-----`;
  const text = [
    `password: "${quoted}"`,
    `{"api_key": "${inJson}", "n": 1}`,
    `AWS_SECRET_ACCESS_KEY=${upper}`,
    ...tokens,
    `the token is ${knownSecret.value}, says the shell`,
    armour('BEGIN'),
    ...key,
    armour('END'),
  ].join('\n');
  return { text: `${text}\n`, values: [quoted, inJson, upper, ...tokens, ...key, knownSecret.value] };
}

/** Where one of the values stands below a folder, in a name or in a file. */
export function leaks(folder: string, values: readonly string[], except: RegExp): string[] {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => !except.test(name))
    .flatMap((name) => {
      const file = path.join(folder, name);
      const text = fs.statSync(file).isFile() ? fs.readFileSync(file, 'utf8') : '';
      return [...valuesIn(`${name}\n${text}`, values)].map((value) => `${name}: ${value}`);
    });
}

export function valuesIn(text: string, values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => text.includes(value));
}
