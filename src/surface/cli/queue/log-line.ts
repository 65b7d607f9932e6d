import type { App } from '../../../app.ts';
import { eventText } from '../progress-text.ts';
import { statusColors } from '../statuses.ts';
import type { Paint } from '../style.ts';
import { tokensText } from '../tokens.ts';
import { visible, visibleLines } from '../visible.ts';

type Entry = ReturnType<App['logs']> extends AsyncIterable<infer E> ? E : never;
type Status = Extract<Entry, { kind: 'status' }>;
type Said = Exclude<Entry, Status>;

const longestOutput = 400;

/** One thing that an agent did or said, for people; undefined: nothing worth a line. `named`: of which task. */
export function logLine(entry: Said, paint: Paint, named: boolean): string | undefined {
  const { step, attempt } = entry;
  const task = named ? `${paint('bold', visible(entry.task))} ` : '';
  const who = `${task}${paint('cyan', visible(attempt === 1 ? step : `${step}#${attempt}`))}`;
  if (entry.kind === 'line') {
    const mark = entry.stream === 'stderr' ? paint('dim', 'stderr ') : '';
    return `${who} ${mark}${visible(entry.text)}`;
  }
  const text = textOf(entry);
  return text === undefined ? undefined : `${who} ${text}`;
}

/** What became of the task meanwhile. */
export function statusLine({ task, status, text }: Status, paint: Paint): string {
  const [first = ''] = text.split('\n', 1);
  return `${paint('bold', visible(task))} is ${paint(statusColors[status], status)}: ${visible(first)}`;
}

function textOf({ event, attempt }: Extract<Said, { kind: 'event' }>): string | undefined {
  switch (event.type) {
    case 'text':
      return event.text.trim() === '' ? undefined : visibleLines(event.text.trim(), '    ');
    case 'tool':
      if (event.phase === 'end') return toolEnd(event);
      break;
    case 'usage':
      return event.turn && `used ${tokensText(event.turn)}`;
    default:
  }
  const text = eventText({ event, attempt });
  return text === undefined ? undefined : visible(text);
}

/** What a tool that did well printed is in the file; what one that failed printed is why people look. */
function toolEnd({
  name,
  ok,
  output = '',
}: {
  name: string;
  ok: boolean;
  output?: string;
}): string | undefined {
  if (ok) return undefined;
  const said = output.trim().slice(0, longestOutput);
  return visibleLines(`${name} failed${said === '' ? '' : `: ${said}`}`, '    ');
}
