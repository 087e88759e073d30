import type {
  AssistantDefinition,
  DocumentIndicators,
  Platform,
  Plugin,
  RecordKind,
  Skill,
} from '@palabre/plugin';

export type PluginRecordKind = RecordKind & { readonly plugin: string };

/** The plugins, loaded and checked before the application is initialised. */
export class Plugins {
  readonly assistants: readonly AssistantDefinition[];
  readonly indicators: readonly DocumentIndicators[];
  readonly recordKinds: readonly PluginRecordKind[];

  constructor(private readonly plugins: readonly Plugin[]) {
    this.assistants = plugins.flatMap(({ assistants = [] }) => assistants);
    this.indicators = plugins.flatMap(({ indicators }) => indicators ?? []);
    this.recordKinds = plugins.flatMap(({ name: plugin, records = [] }) =>
      records.map((kind) => ({ ...kind, plugin })),
    );
  }

  skills(platform: Platform): { plugin: string; skills: readonly Skill[] }[] {
    return this.plugins.map((plugin) => ({ plugin: plugin.name, skills: plugin.skills?.(platform) ?? [] }));
  }
}
