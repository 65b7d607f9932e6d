/** Kinds of evidence: what a gate, or a person, can look at. */
export const proofKinds = ['file', 'url', 'command', 'commit', 'log'] as const;
export type ProofKind = (typeof proofKinds)[number];
