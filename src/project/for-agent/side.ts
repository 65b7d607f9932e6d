import { DocketError } from '../../errors.ts';
import type { OpenProject } from '../../kinds/act.ts';
import { assertNoSecret, maskWords } from '../../settings/masking.ts';
import type { Store } from '../../store/store.ts';
import type { AgentSide } from './api.ts';
import { deskFor, type Seat } from './board.ts';
import { agentName } from './name.ts';
import { trustOfAgent } from './trust.ts';

/** `open`: the queue for writing. */
export function agentSide(where: OpenProject, called: string, open: () => Promise<Store>): AgentSide {
  const name = agentName(called);
  const seat = async (): Promise<Seat> => {
    const desk = deskFor(where);
    return { desk, name, trust: await trustOfAgent(where, name) };
  };
  /** Words with something in them, and no secrets; their key is written down as it is. */
  const words = async (text: string, key?: string): Promise<string> => {
    await assertNoSecret(where, { key });
    if (text.trim() !== '') return maskWords(where, text);
    throw new DocketError('INVALID', 'the text is empty', 'say what you mean');
  };
  return {
    launchWords: async () => (await import('./launch.ts')).launchWords(where.env, where.root),
    list: async (query) => (await import('./listed.ts')).listedFor(where, query),
    show: async (ref, of) => (await import('./shown.ts')).shownTo(where, ref, of),
    async create(input) {
      const { queuedFor, boardedFor } = await import('./create.ts');
      const work = { ...input, text: await words(input.text, input.key) };
      return work.where === 'queue' ? queuedFor({ where, open, name }, work) : boardedFor(await seat(), work);
    },
    claim: async (id) => (await import('./claim.ts')).claimFor(await seat(), id),
    async report(input) {
      const { reportedBy } = await import('./report.ts');
      return reportedBy(await seat(), { ...input, text: await words(input.text, input.key) });
    },
    async ask(input) {
      const { askedBy } = await import('./ask.ts');
      return askedBy(await seat(), { ...input, question: await words(input.question, input.key) });
    },
    answer: async (input) => (await import('./answer.ts')).answerFor(where, name, input),
  };
}
