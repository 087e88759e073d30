import { Injectable } from '@nestjs/common';

import { Plugins } from '../../common/plugins.js';
import type { AssistantDefinition } from './assistant-definition.js';
import { assistantDefinitions } from './definitions/assistant-definitions.js';
import type { Prompt } from './prompt-version.entity.js';

/** The assistants that every company starts with: those of Palabre, and those of plugins. */
@Injectable()
export class ShippedAssistants {
  readonly all: readonly AssistantDefinition[];

  constructor(plugins: Plugins) {
    this.all = [...plugins.assistants, ...assistantDefinitions];
  }

  has(key: string): boolean {
    return this.all.some((assistant) => assistant.key === key);
  }

  /** The keys of the skills of code that it is offered to begin with; null: all. */
  skillsOf(key: string): ReadonlySet<string> | null {
    const skills = this.all.find((assistant) => assistant.key === key)?.skills;
    return skills ? new Set(skills) : null;
  }

  /**
   * Version 0 lies in the code, so that an update reaches every company that has published none. Null: the assistant does
   * not ship, or no longer.
   */
  promptOf({ key }: { key: string }): Prompt | null {
    const definition = this.all.find((assistant) => assistant.key === key);
    if (!definition) return null;
    return { version: 0, template: definition.template, publishedAt: null, publishedBy: null, note: null };
  }
}
