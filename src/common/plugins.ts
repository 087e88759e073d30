import type { AssistantDefinition, DocumentIndicators, Platform, Plugin, Skill } from '@palabre/plugin';

/** The plugins, loaded and checked before the application is initialised. */
export class Plugins {
  readonly assistants: readonly AssistantDefinition[];
  readonly indicators: readonly DocumentIndicators[];

  constructor(private readonly plugins: readonly Plugin[]) {
    this.assistants = plugins.flatMap(({ assistants = [] }) => assistants);
    this.indicators = plugins.flatMap(({ indicators }) => indicators ?? []);
  }

  /** Creates the skills of each plugin. */
  skills(platform: Platform): { plugin: string; skills: readonly Skill[] }[] {
    return this.plugins.map((plugin) => ({ plugin: plugin.name, skills: plugin.skills?.(platform) ?? [] }));
  }
}
