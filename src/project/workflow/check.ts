import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { nearest } from '../../errors/nearest.ts';
import { knownAgents } from '../../settings/agents.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { Finding } from '../../store/store.ts';
import type { Source } from '../../workflow/file/library.ts';
import type { Graph } from '../../workflow/graph.ts';
import { compileHere, findSource } from '../../workflows/find.ts';
import { layersOf, type Here } from '../../workflows/layers.ts';
import { sourcesIn } from '../../workflows/library.ts';
import { findingOf } from './list.ts';

/** Everything that is wrong, at once. A name that nothing has is an error, as everywhere. */
export async function checkWorkflows(names: readonly string[], here: Here): Promise<Finding[]> {
  const findings: Finding[] = [];
  const note = (path: string, { message, fix }: DocketError): void => {
    findings.push({ severity: 'error', path, message, fix });
  };
  const sources = names.length === 0 ? everyOne(here, note) : named(names, here, note);
  const known = [...knownAgents(await readConfig(here.root, here.env)).keys()];
  for (const source of sources) {
    const { graph, problems } = compileHere(source, here, { alone: true });
    findings.push(...problems.map(findingOf), ...(graph ? strangers(graph, source, known) : []));
  }
  return [...new Map(findings.map((one) => [JSON.stringify(one), one])).values()];
}

/** Agents that nobody has set up here. */
function strangers(graph: Graph, { file }: Source, known: readonly string[]): Finding[] {
  const used = new Set(Object.values(graph.nodes).flatMap(({ agent }) => agent ?? []));
  return [...used].flatMap((agent): Finding[] => {
    if (known.includes(agent)) return [];
    const guess = nearest(agent, known);
    const hint = guess === undefined ? '' : `did you mean "${guess}"? `;
    const todo = fix`${hint}Name one of "${command`agents`}", or add it to agents in .docket/config.yaml.`;
    return [{ severity: 'warning', path: file, message: `there is no agent "${agent}"`, fix: todo.text }];
  });
}

type Note = (path: string, error: DocketError) => void;

/** Also what hides behind a nearer one of the same name: it is there, and may be called by its path. */
function everyOne(here: Here, note: Note): Source[] {
  return layersOf(here).flatMap((layer) => sourcesIn(layer, note));
}

function named(names: readonly string[], here: Here, note: Note): Source[] {
  return names.flatMap((name) => {
    try {
      return [findSource(name, here)];
    } catch (error) {
      if (!(error instanceof DocketError) || error.code === 'NOT_FOUND') throw error;
      note(name, error);
      return [];
    }
  });
}
