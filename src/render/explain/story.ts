import type { Event } from '../../task/schema.ts';
import type { Call, Moment, Ruling } from './types.ts';
import { first, wordsFor } from './words.ts';

/** What happened to a task, line by line. */
export function timelineOf(events: readonly Event[]): Moment[] {
  return events.flatMap((event) => {
    const text = wordsFor(event);
    if (text === undefined) return [];
    const { at, seq, by, type, data } = event;
    return [
      { at, seq, by, type, text, ...('step' in data && data.step !== undefined && { step: data.step }) },
    ];
  });
}

/** Every call of an agent, in the order in which they began. */
export function callsOf(events: readonly Event[]): Call[] {
  const calls = new Map<string, Call>();
  for (const event of events) {
    if (event.type === 'attempt.started') {
      const { step, n, agent, adapter, session } = event.data;
      const begun = { step, n, agent, adapter, startedAt: event.at };
      calls.set(`${step} ${n}`, { ...begun, ...(session !== undefined && { session }) });
    }
    if (event.type !== 'attempt.session' && event.type !== 'attempt.ended') continue;
    const call = calls.get(`${event.data.step} ${event.data.n}`);
    if (!call) continue;
    if (event.type === 'attempt.session') call.session = event.data.session;
    else Object.assign(call, endOf(event, call));
  }
  return [...calls.values()];
}

function endOf({ at, data }: Extract<Event, { type: 'attempt.ended' }>, call: Call): Partial<Call> {
  const { outcome, error, usage } = data;
  return {
    endedAt: at,
    seconds: Math.max(0, (Date.parse(at) - Date.parse(call.startedAt)) / 1000),
    outcome,
    ...(error && { error: `${error.class}: ${first(error.message)}` }),
    ...(usage && { usage }),
  };
}

/** What led on: rules, people at gates, and the verdict at the end. */
export function rulingsOf(events: readonly Event[]): Ruling[] {
  const asked = new Map<string, string>();
  return events.flatMap((event): Ruling[] => {
    const { at, by } = event;
    switch (event.type) {
      case 'step.ended': {
        const { step, chose } = event.data;
        return chose ? [{ at, kind: 'rule', about: step, text: first(chose.text), by: how[chose.by] }] : [];
      }
      case 'gate.opened':
        asked.set(event.data.gate, first(event.data.reason));
        return [];
      case 'gate.answered': {
        const { gate, decision, note, choice } = event.data;
        const said = [note, choice].flatMap((text) => (text ? [first(text)] : [])).join('; ');
        const text = `${asked.get(gate) ?? 'it'} – ${decision}${said === '' ? '' : `: ${said}`}`;
        return [{ at, kind: 'gate', about: gate, text, by }];
      }
      case 'task.done':
        return [{ at, kind: 'verdict', about: 'the task', text: event.data.verdict.kind, by }];
      default:
        return [];
    }
  });
}

/** Who or what chose a rule. */
const how = {
  only: 'its only rule',
  when: 'a condition',
  parts: 'what its parts chose',
  checks: 'docket’s checks',
  tag: 'the agent',
  judge: 'a judge',
  default: 'its default rule',
} as const;
