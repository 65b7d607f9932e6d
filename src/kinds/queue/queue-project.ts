import type { Project } from '../../settings/project.ts';

export interface QueueProject extends Project {
  /** docket's own folder of the queue's store. */
  dir: string;
}
