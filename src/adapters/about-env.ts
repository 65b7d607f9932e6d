import type { AgentRequest } from './adapter.ts';

/** What an agent of one's own may want to know about its work. */
export function aboutEnv({ about, cwd }: Pick<AgentRequest, 'about' | 'cwd'>): Record<string, string> {
  return {
    DOCKET_TASK_ID: about.taskId,
    DOCKET_STEP: about.step,
    DOCKET_ATTEMPT: String(about.attempt),
    DOCKET_WORKDIR: cwd,
  };
}
