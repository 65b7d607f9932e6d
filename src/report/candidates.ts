import { objectEnd, stringEnd } from './scan.ts';

/** A report stands at the end of an answer; what is further away than this is not looked at. */
const window = 1_048_576;
/** And of the objects in it only the last ones count. */
const maxValues = 100;

/** An object, or an object inside a string: `{"…` or `"{\"…`. Anything else that has a brace is prose or code. */
const starts = /\{\s{0,64}"|(?<!\\)"\s{0,8}(?:\\[nrt]){0,8}\{\s{0,64}\\/g;

export interface Candidates {
  /** JSON values in the order of the text: objects, and strings that hold one. */
  values: unknown[];
  /** An object that begins like a report and is not JSON, in the words of the parser. */
  broken?: string;
}

/** All outermost JSON objects of a text, wherever they stand: alone, in a fence, between sentences. */
export function candidatesIn(answer: string): Candidates {
  const text = answer.slice(-window).replace(/^\uFEFF/, '');
  const whole = parsed(text.trim());
  if (whole !== undefined) return { values: [whole] };
  const values: unknown[] = [];
  let broken = -1;
  starts.lastIndex = 0;
  for (let match = starts.exec(text); match !== null; match = starts.exec(text)) {
    const start = match.index;
    const end = text[start] === '{' ? objectEnd(text, start) : stringEnd(text, start);
    const value = end === -1 ? undefined : parsed(text.slice(start, end));
    if (value === undefined) {
      if (likeReport.test(text.slice(start, start + 80))) broken = start;
    } else if (values.push(value) > 2 * maxValues) values.splice(0, maxValues);
    starts.lastIndex = value === undefined ? start + 1 : end;
  }
  return broken === -1 ? { values } : { values, broken: whyBroken(text.slice(broken)) };
}

const likeReport = /^\{\s*"(?:status|summary)"/;

/** Only what can hold a report: an object, or a string. */
function parsed(text: string): object | string | undefined {
  const first = text[0];
  if (first !== '{' && first !== '"') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : (value as object);
  } catch {
    return undefined;
  }
}

function whyBroken(text: string): string {
  try {
    JSON.parse(text);
    return 'it is nested too deeply';
  } catch (error) {
    return (error as Error).message.slice(0, 200);
  }
}
