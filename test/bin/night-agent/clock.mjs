// The time of a night that passes quickly. `$NIGHT` is a folder that docket, its agents and the test share; `night.json` in
// it says when the night began, at what time of its own, and how much faster it goes. `shift` moves the clock, as people do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const folder = process.env.NIGHT;
export const night = JSON.parse(readFileSync(join(folder, 'night.json'), 'utf8'));

const lookEveryMs = 20;
let shift = 0;
let lookedAt = 0;

export function now() {
  const real = Date.now();
  if (real - lookedAt > lookEveryMs) {
    lookedAt = real;
    shift = shifted();
  }
  return night.from + (real - night.began) * night.scale + shift;
}

function shifted() {
  try {
    return Number(readFileSync(join(folder, 'shift'), 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return 0;
  }
}
