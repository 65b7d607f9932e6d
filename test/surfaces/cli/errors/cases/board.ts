import { no, type CaseSet } from '../case.ts';

export const board: CaseSet = {
  title: 'with a board',
  make: async (place) => {
    await place.done('board init');
    await place.done('say "create task T-001: Fix the login"');
    const asked = { ts: Math.floor(Date.now() / 1000), at: '', taskId: 'T-001', by: 'orchestrator' };
    place.write('state/clarify.cooldown.json', JSON.stringify({ entries: { 'local:*': asked } }));
  },
  cases: [
    { ...no('say "mark done T-001"', 'REFUSED', 'T-001'), told: true },
    { ...no('board apply "approve T-001"', 'REFUSED', 'T-001'), told: true },
    { ...no('board status T-002', 'NOT_FOUND', 'T-002'), told: true },
    { ...no('board dispatch T-002 coder', 'NOT_FOUND', 'T-002'), told: true },
    { ...no('board clarify T-001 coder "And now?"', 'TOO_SOON', 'T-001', 'coder'), told: true },
    { ...no('board clarify T-001 nobody Why', 'REFUSED', 'T-001', 'nobody'), told: true },
    no('board autopilot on many', 'USAGE', '"many"'),
    no('board synthesize T-001 T-002', 'USAGE', 'T-002'),
  ],
};
