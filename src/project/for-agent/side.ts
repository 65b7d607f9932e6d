import { DocketError } from '../../errors.ts';
import type { OpenProject } from '../../kinds/act.ts';
import { foreman } from '../../kinds/board/moves.ts';
import { assertNoSecret, maskWords } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { trustIn } from '../../settings/trust.ts';
import type { Store } from '../../store/store.ts';
import type { Trust } from '../../task/schema.ts';
import type { AgentSide } from './api.ts';
import { deskFor, type Seat } from './board.ts';
import { nextFor } from './next.ts';

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
    async claim(id) {
      const answer = await (await import('./claim.ts')).claimFor(await seat(), id);
      return { ...answer, next: nextFor.claim() };
    },
    async report(input) {
      const { reportedBy } = await import('./report.ts');
      const answer = await reportedBy(await seat(), { ...input, text: await words(input.text, input.key) });
      return { ...answer, next: nextFor.report(answer) };
    },
    async ask(input) {
      const { askedBy } = await import('./ask.ts');
      const question = await words(input.question, input.key);
      const answer = await askedBy(await seat(), { ...input, question });
      return { ...answer, next: nextFor.ask(answer) };
    },
    async answer(input) {
      const answer = await (await import('./answer.ts')).answerFor(where, name, input);
      return { ...answer, next: nextFor.answer(answer) };
    },
  };
}

/**
 * How far the words of an agent are trusted. Its name is noted and not looked up among the people whom the settings vouch
 * for: who starts it chooses the name, and that may be an agent.
 */
async function trustOfAgent(where: Project, author: string): Promise<Trust> {
  const { level = 'low' } = trustIn({ source: 'agent' }, await readConfig(where.root, where.env)) ?? {};
  return { level, source: 'agent', author };
}

/** docket's own words for who did something, and the one who answers for the board: no agent is any of them. */
const taken: ReadonlySet<string> = new Set([foreman, 'docket', 'cli', 'file', 'person', 'human']);

/** Checked where a person chooses it; a client that connects cannot choose one. */
function agentName(name: string): string {
  const shaped = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
  if (shaped && !taken.has(name.toLowerCase())) return name;
  const said = JSON.stringify(name.slice(0, 80));
  throw new DocketError(
    'INVALID',
    shaped ? `an agent cannot act as ${said}: that name has rights of its own` : `${said} is no name`,
    'give another with --as: up to 64 letters, digits, ".", "_" and "-", such as claude',
    { name: said },
  );
}
