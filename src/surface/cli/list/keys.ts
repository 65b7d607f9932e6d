export type Key = 'up' | 'down' | 'enter' | 'back' | 'quit' | { digit: number };

const escape = '\u001B';
const named: Readonly<Record<string, Key>> = {
  [`${escape}[A`]: 'up',
  [`${escape}OA`]: 'up',
  k: 'up',
  [`${escape}[B`]: 'down',
  [`${escape}OB`]: 'down',
  j: 'down',
  '\r': 'enter',
  '\n': 'enter',
  [`${escape}[D`]: 'back',
  [escape]: 'back',
  q: 'quit',
  '\u0003': 'quit',
  '\u0004': 'quit',
};

/** The keys in what a terminal sent. Other keys, and sequences that mean nothing here, are left out. */
export function keysIn(sent: string): Key[] {
  const pressed = sent.match(sequences) ?? [];
  return pressed.flatMap((one): Key[] => {
    if (/^\d$/.test(one)) return [{ digit: Number(one) }];
    const key = Object.hasOwn(named, one) ? named[one] : undefined;
    return key === undefined ? [] : [key];
  });
}

// oxlint-disable-next-line no-control-regex -- they are what a terminal sends
const sequences = /\u001B(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])?|[\s\S]/gu;
