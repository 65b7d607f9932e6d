/** The shared files that people look for, from the task's folder. */
export const pointers = {
  stateBoard: './shared/state-board.md',
  joinedSummaryMd: './shared/reports/joined-summary.md',
  joinedSummaryJson: './shared/reports/joined-summary.json',
  evidenceIndex: './shared/evidence/index.json',
  humanNotes: './shared/human-notes.md',
  contextManifest: './shared/context-manifest.yaml',
} as const;
