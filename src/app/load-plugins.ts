import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from '@palabre/plugin';
import { z } from 'zod';

import { ConfigError } from '../common/config/environment.js';
import { Plugins } from '../common/plugins.js';
import { assistantDefinitions } from '../companies/assistants/definitions/shipped-assistants.service.js';
import { strategies } from '../companies/assistants/assistant-definition.js';
import { checkTemplate } from '../companies/assistants/prompt-template.js';

const text = z.string().min(1);
const aFunction = z.custom<(...given: never[]) => unknown>(
  (value) => typeof value === 'function',
  'a function',
);

const Assistant = z.object({
  key: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'lowercase letters, digits and hyphens, 64 at most'),
  name: text.max(200),
  language: text.refine((tag) => Intl.getCanonicalLocales(tag).length === 1),
  strategy: z.enum(strategies),
  skills: z.array(text).optional(),
  budget: z.object({
    maxSteps: z.int().positive(),
    maxSeconds: z.int().positive(),
    maxOutputTokens: z.int().positive(),
  }),
  remembers: z.object({ recallsConversations: z.boolean(), extractsMemories: z.boolean() }).optional(),
  template: text.superRefine((template, context) => {
    for (const { message } of checkTemplate(template)) context.addIssue(message);
  }),
  example: text.optional(),
});

const Record = z.object({
  kind: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'lowercase letters, digits and underscores, 64 at most'),
  description: text.max(10_000),
  schema: z.looseObject({ type: z.literal('object') }),
});

const Indicators = z.object({
  focus: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, 'lowercase letters, digits and underscores, 32 at most'),
  name: text.max(100),
  assistants: z.array(text),
  inLanguage: aFunction,
});

/** The exports of a plugin, which may be plain JavaScript. Its skills are checked when they are created. */
const Exports = z.object({
  plugin: z.object({
    name: text,
    skills: aFunction.optional(),
    assistants: z.array(Assistant).optional(),
    records: z.array(Record).optional(),
    indicators: Indicators.optional(),
  }),
});

/** Loads the plugins in order. Rejects with a ConfigError that names the unusable one and the reason. */
export async function loadPlugins(names: readonly string[]): Promise<Plugins> {
  const plugins: Plugin[] = [];
  for (const name of names) plugins.push(await load(name));
  const keys = new Set(assistantDefinitions.map(({ key }) => key));
  const kinds = new Set<string>();
  const focuses = new Set(['summary', 'figures', 'coverage', 'status', 'document', 'content', 'passages']);
  for (const { name, assistants = [], records = [], indicators } of plugins) {
    for (const { key } of assistants) claim(keys, key, name, 'another assistant has the key');
    for (const { kind } of records) claim(kinds, kind, name, 'another package keeps records of the kind');
    if (indicators) claim(focuses, indicators.focus, name, 'documents are analysed for');
  }
  return new Plugins(plugins);
}

async function load(name: string): Promise<Plugin> {
  const isPath = name.startsWith('.') || isAbsolute(name);
  let exports: unknown;
  try {
    exports = await import(isPath ? pathToFileURL(resolve(name)).href : name);
  } catch (error) {
    throw unusable(name, `it cannot be loaded (${error instanceof Error ? error.message : String(error)})`);
  }
  const { error } = Exports.safeParse(exports);
  if (error) {
    const problems = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw unusable(name, problems.join('; '));
  }
  // The original object: a parsed copy would lose the prototypes of its objects.
  return (exports as { plugin: Plugin }).plugin;
}

function claim(taken: Set<string>, key: string, plugin: string, why: string): void {
  if (taken.has(key)) throw unusable(plugin, `${why} ${key} already`);
  taken.add(key);
}

function unusable(name: string, why: string): ConfigError {
  return new ConfigError([`PLUGINS must name packages that can be used. ${name}: ${why}.`]);
}
