import type { Finding } from '../store.ts';
import { repairCommand, type Place } from './place.ts';

/** Lines of a task's log that are no events. docket goes on without them; people are told. */
export function strayFindings(place: Place, lines: readonly number[]): Finding[] {
  const message = 'the line is not an event; docket ignores it';
  const fix = `set it aside: ${repairCommand(place)} --apply`;
  return lines.map((line) => ({ severity: 'warning', path: place.journal, line, message, fix }));
}
