import type { LogEntry } from '../../../app/queue/api.ts';
import { eventText } from '../progress.ts';
import type { Paint } from '../style.ts';
import { tokensText } from '../tokens.ts';
import { visible, visibleLines } from '../visible.ts';

const longestOutput = 400;

/** One thing that an agent did or said, for people; undefined: nothing worth a line. */
export function logLine(entry: LogEntry, paint: Paint): string | undefined {
  const { step, attempt } = entry;
  const who = paint('cyan', visible(attempt === 1 ? step : `${step}#${attempt}`));
  if (entry.kind === 'line') {
    const mark = entry.stream === 'stderr' ? paint('dim', 'stderr ') : '';
    return `${who} ${mark}${visible(entry.text)}`;
  }
  const text = textOf(entry);
  return text === undefined ? undefined : `${who} ${text}`;
}

function textOf({ event, attempt }: Extract<LogEntry, { kind: 'event' }>): string | undefined {
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
