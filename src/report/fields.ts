/** The words of a report, in one place: the schema, the vendors' variant and the prompt all speak of the same ones. */
export const reportStatuses = ['success', 'blocked', 'failed'] as const;
export const evidenceKinds = ['file', 'command', 'url', 'text'] as const;

export const reportFields = {
  status: 'success: the task is done. blocked: somebody must act or answer first. failed: it cannot be done.',
  summary: '1 to 3 sentences: what was done, or why not.',
  changes: 'One line per change to the work tree.',
  evidence: `What proves it: {"kind": ${evidenceKinds.join(' | ')}, "ref": the path, command line, address or text, "note": optional}.`,
  risks: 'What may go wrong because of this work.',
  nextActions: 'What should be done next.',
  questions: 'What a person must answer; needed when blocked.',
  errors: 'What went wrong on the way.',
  artifacts: 'Optional: worktreePath, branch, touchedFiles, diffStat.',
} as const;

export type ReportField = keyof typeof reportFields;

export const maxSummary = 2000;
