import type { Agent } from '../../adapters/agent.ts';
import type { Masking } from '../../engine/masking.ts';
import { DocketError } from '../../errors.ts';
import { agentNamed, agentNameFor, assertThere } from '../../settings/agents.ts';
import type { Config } from '../../settings/config.ts';
import { maskingFor } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';

/** Which agent does the work of which role: the settings' `roles`, else the default agent. */
export class Workers {
  readonly #where: Project;
  readonly config: Config;
  readonly masking: Masking;

  private constructor(where: Project, config: Config) {
    this.#where = where;
    this.config = config;
    this.masking = maskingFor(where, config);
  }

  static async of(where: Project): Promise<Workers> {
    return new Workers(where, await readConfig(where.root, where.env));
  }

  /** Roles of the settings, beside the board's own. */
  get roles(): string[] {
    return Object.keys(this.config.roles);
  }

  named(name: string): Promise<Agent> {
    return agentNamed(name, this.config, this.#where);
  }

  nameFor(role: string): string {
    return agentNameFor({ role }, this.config);
  }

  /** The same as a sentence with what to do; undefined: it is ready. */
  async whyNotReady(role: string): Promise<string | undefined> {
    try {
      await this.assertReady(role);
      return undefined;
    } catch (error) {
      if (error instanceof DocketError) return `${error.message}: ${error.fix}`;
      throw error;
    }
  }

  /** Before a task is given to it: a name that is wrong, or a program that is missing, must not cost the task its turn. */
  async assertReady(role: string): Promise<void> {
    assertThere(await this.named(this.nameFor(role)), this.#where);
  }
}
