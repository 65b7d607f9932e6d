import type { Agent } from '../adapters/agent.ts';
import type { Turn } from '../adapters/fold.ts';
import { repairPrompt } from '../report/contract.ts';
import { parseReport, reportFrom } from '../report/parse.ts';
import type { Report } from '../report/schema.ts';
import { strictReportSchema } from '../report/strict.ts';

/** What an answer must be, in the vendor's form and in ours. */
export interface Contract {
  /** Absent: a text is wanted, in no form that a vendor knows. */
  schema?: Readonly<Record<string, unknown>>;
  /** Never a guess: without what was asked for there is a problem that can be told to the agent. */
  read(turn: Turn): { report: Report; value?: unknown } | { problem: string };
  repair(problem: string): string;
}

/** The report that every step hands back. */
export function reportFor({ adapter }: Agent): Contract {
  return {
    schema: strictReportSchema,
    read: (turn) => answerOf(turn, adapter.capabilities.plainReports === true),
    repair: repairPrompt,
  };
}

const longestSummary = 2000;

/**
 * The report in what an agent handed back. Never a guess: without one there is a problem that can be told to the
 * agent. An agent that is a plain program (`plain`) may just say what it did.
 */
export function answerOf(turn: Turn, plain: boolean): { report: Report } | { problem: string } {
  if (turn.structured !== undefined) return reportFrom(turn.structured);
  if (plain) return plainReport(turn.text ?? '');
  return turn.text === undefined ? { problem: 'there was no answer' } : parseReport(turn.text);
}

/** Its last line: programs print their progress first, and sum up at the end. */
function plainReport(text: string): { report: Report } | { problem: string } {
  const said = text.trimEnd().split('\n').at(-1)?.trim() || 'the agent exited 0 without a report';
  const summary = said.length <= longestSummary ? said : `…${said.slice(1 - longestSummary)}`;
  return reportFrom({ status: 'success', summary });
}
