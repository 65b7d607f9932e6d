// What a provider is like at a moment. `night.json` has its spells: `{after, minutes, kind, told, late}`. One begins with
// the first call that comes when so many were served, and holds for everybody. `kind`: limit or outage. `told`: text or data
// with the time of its end, or nothing. `late`: it says so many minutes too early that it will be over.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, night, now } from './clock.mjs';
import { entries } from './diary.mjs';

const minute = 60_000;

export function weather(provider) {
  const served = entries().filter(
    (one) => one.event === 'end' && one.provider === provider && one.what === 'served',
  );
  for (const [n, spell] of (night.weather[provider] ?? []).entries()) {
    if (served.length < spell.after) continue;
    const end = beganAt(`${provider}.${n}`) + spell.minutes * minute;
    const time = now();
    if (time >= end) continue;
    const early = end - (spell.late ?? 0) * minute;
    return { ...spell, end: time < early ? early : end };
  }
  return undefined;
}

/** Whoever is first says when; all the others hold to it. */
function beganAt(name) {
  const file = join(folder, `spell.${name}`);
  try {
    writeFileSync(file, String(now()), { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  for (;;) {
    const text = readFileSync(file, 'utf8');
    if (text !== '') return Number(text);
  }
}
