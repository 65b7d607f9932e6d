const units = { h: 3600, m: 60, s: 1 };

/** `1h30m` is 5400 seconds. */
export function parse(text) {
  let seconds = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([a-z])/g)) seconds += count * units[unit];
  return seconds;
}

/** 5400 seconds are `1h30m`. */
export function format(seconds) {
  let text = '';
  for (const [unit, size] of Object.entries(units)) {
    const count = Math.floor(seconds / size);
    if (count > 0) text += `${count}${unit}`;
    seconds -= count * size;
  }
  return text;
}
