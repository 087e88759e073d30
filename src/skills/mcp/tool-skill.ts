import type { JsonObject, JsonValue } from '@palabre/json';

import { changesElsewhere, readsForeign, type Skill } from '../skill.js';
import type { CallContext, McpToolCall } from './client/mcp-connection.js';
import type { McpTool } from './client/mcp-tools.js';

/** Where the calls of a tool go. */
interface ToolServer {
  /** What it says of the tool, where it is believed: that a call changes nothing. */
  readOnly: boolean;
  call(input: JsonObject, context: CallContext): Promise<JsonValue>;
  /** Why it cannot be used now, in words for people; null: nothing is known against it. */
  failure(): string | null;
}

/** A tool of a server as a skill. Models and people are told that the words are the server's. */
export function skillOf(
  key: string,
  { title: name, description }: Pick<McpTool, 'title' | 'description'>,
  { parameters, idempotent, timeoutMs }: McpToolCall,
  server: ToolServer,
): Skill {
  return {
    key,
    name,
    description: `In its server’s words: ${description}`,
    parameters,
    idempotent,
    timeoutMs,
    effect: server.readOnly ? readsForeign : changesElsewhere,
    unavailableReason: () => {
      const failure = server.failure();
      return failure === null ? null : `Its server cannot be used just now. ${failure}`;
    },
    run: (input, context) => server.call(input, context),
  };
}
