import type { Group, Purpose } from './words.ts';

/** What a stage is for: it decides which of a tool's models takes it where the profile names none. */
export function purposeOf(role: string, group: Group, implMode: string | undefined): Purpose {
  if (role === 'impl' || role === 'test_impl') return 'impl';
  if (role === 'verify' || role === 'static_verify') return 'verify';
  if (role.includes('review')) return 'review';
  if (role === 'runbook') return 'one_shot';
  if (role === 'brief' || role === 'test_design')
    return group === 'impl' && implMode === 'one_shot' ? 'one_shot' : 'plan';
  return group === 'impl' ? 'plan' : 'review';
}
