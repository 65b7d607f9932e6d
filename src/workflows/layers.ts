import path from 'node:path';
import { isDirectory } from '../io/find-up.ts';
import { realFolder } from '../io/links.ts';
import { packageRoot } from '../io/package-root.ts';
import type { Project } from '../settings/project.ts';
import { userFolder } from '../settings/read-config.ts';
import type { FacetKind } from '../workflow/file/library.ts';

type LayerName = 'project' | 'user' | 'built-in';

/** A place that workflows come from. Nothing outside of its folder is ever read for them. */
export interface Layer {
  name: LayerName;
  folder: string;
  /** From the folder; what stands first is found first. */
  workflows: readonly string[];
  facets: Readonly<Record<FacetKind, readonly string[]>>;
}

export type Here = Pick<Project, 'root' | 'env'> & Partial<Pick<Project, 'warn'>>;

const folderNames: Readonly<Record<FacetKind, readonly string[]>> = {
  personas: ['personas', 'agents'],
  policies: ['policies', 'stances'],
  knowledge: ['knowledge'],
  instructions: ['instructions'],
  report_formats: ['output-contracts', 'report-formats'],
};

/** The project's own over the user's over those that come with docket. A folder that is two of them counts once. */
export function layersOf({ root, env }: Here): Layer[] {
  const home = env['TAKT_CONFIG_DIR'] ?? (env['HOME'] && path.join(env['HOME'], '.takt'));
  const own = userFolder(env);
  const places: [LayerName, string | undefined][] = [
    ['project', path.join(root, '.takt')],
    ['user', own],
    ['user', home && path.resolve(root, home)],
  ];
  const seen = new Set<string>();
  const layers = places.flatMap(([name, place]): Layer[] => {
    if (place === undefined || !isDirectory(place)) return [];
    const folder = realFolder(place);
    if (seen.has(folder)) return [];
    seen.add(folder);
    return [{ name, folder, workflows: ['workflows', 'pieces'], facets: facetsIn(['facets/', '']) }];
  });
  return [
    ...layers,
    { name: 'built-in', folder: realFolder(packageRoot()), workflows: ['workflows'], facets: builtIn },
  ];
}

function facetsIn(fronts: readonly string[]): Layer['facets'] {
  const of = (kind: FacetKind) => fronts.flatMap((front) => folderNames[kind].map((name) => front + name));
  return {
    personas: of('personas'),
    policies: of('policies'),
    knowledge: of('knowledge'),
    instructions: of('instructions'),
    report_formats: of('report_formats'),
  };
}

/** The roles of a packet's stages are instructions of workflows, too. */
const builtIn: Layer['facets'] = {
  ...facetsIn(['facets/']),
  instructions: ['facets/instructions', 'prompts/packet'],
};
