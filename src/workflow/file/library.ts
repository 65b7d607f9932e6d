/** The kinds of texts that a workflow puts its prompts together from. */
export const facetKinds = ['personas', 'policies', 'knowledge', 'instructions', 'report_formats'] as const;
export type FacetKind = (typeof facetKinds)[number];

/** One of a kind, in a sentence. */
export const kindName: Readonly<Record<FacetKind, string>> = {
  personas: 'persona',
  policies: 'policy',
  knowledge: 'knowledge',
  instructions: 'instruction',
  report_formats: 'report format',
};

/** A workflow's file. */
export interface Source {
  /** By which it is known: its file's name, without the ending. */
  name: string;
  file: string;
  text: string;
  /** Which layer it belongs to, and the folder that its own texts may come from. */
  layer: string;
  folder: string;
}

export interface Text {
  name: string;
  file: string;
  text: string;
}

export interface Missing {
  missing: string;
  fix: string;
  /** Another name is so close that this one is a slip. */
  isNear?: boolean;
}

/** Where texts and other workflows are found. Whoever looks them up keeps to the folders they may come from. */
export interface Library {
  /** By its bare name, in the first layer that has it; files in `not` are passed over. */
  named(kind: FacetKind, name: string, not: ReadonlySet<string>): Text | Missing;
  /** By its path, from the folder of the workflow's file. */
  file(path: string, from: Source): Text | Missing;
  workflow(name: string, from: Source): Source | Missing;
}
