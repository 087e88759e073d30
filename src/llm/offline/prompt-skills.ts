import { withoutPacks } from './packs/catalogue.js';
import type { RequestTool } from './server/protocol.js';

const line = /^- \*\*(?<name>[A-Za-z][\w-]{0,63})\*\*: (?<description>.+)$/gm;

/** The skills that a system prompt tells of, for a request that lets none be called: how they are called is not told. */
export const skillsInPrompt = (prompt: string): RequestTool[] =>
  Array.from(withoutPacks(prompt).matchAll(line), ({ groups }) => ({
    name: groups?.['name'] ?? '',
    description: groups?.['description'] ?? '',
    parameters: {},
  }));
