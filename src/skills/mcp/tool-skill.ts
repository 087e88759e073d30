import type { JsonObject, JsonValue } from '@palabre/json';

import { fill, languages, wordingIn } from '../../common/wording/wording.js';
import { changesElsewhere, readsForeign, type Skill } from '../skill.js';
import type { CallContext, McpToolCall } from './client/mcp-connection.js';
import type { McpTool } from './client/mcp-tools.js';

interface ToolServer {
  /** The server's trusted claim that a call changes nothing. */
  readOnly: boolean;
  call(input: JsonObject, context: CallContext): Promise<JsonValue>;
  /** Why it cannot be used now, in English. Null: no known reason. */
  failure(): string | null;
}

/** A server's tool as a skill. Models and people see that the words are the server's. */
export function skillOf(
  key: string,
  { title: name, description }: Pick<McpTool, 'title' | 'description'>,
  { parameters, idempotent, timeoutMs }: McpToolCall,
  server: ToolServer,
): Skill {
  return {
    key,
    name,
    description: described(description, 'en'),
    // Built when it is read: there may be many tools.
    get descriptions() {
      return Object.fromEntries(languages.map((language) => [language, described(description, language)]));
    },
    parameters,
    idempotent,
    timeoutMs,
    effect: server.readOnly ? readsForeign : changesElsewhere,
    unavailableReason: (language) => {
      const failure = server.failure();
      return failure === null ? null : fill(wordingIn(language).skillUnavailable.serverAway, { failure });
    },
    run: (input, context) => server.call(input, context),
  };
}

function described(description: string, language: string): string {
  return fill(wordingIn(language).mcpTools.described, { description });
}
