import { singleLine } from '@palabre/text';
import type { JsonObject } from '@palabre/json';

import type { SkillOutcome } from '../agent-ports.js';

export const MAX_PREVIEW = 300;

export function succeeded(result: JsonObject, preview: string): SkillOutcome {
  return {
    status: 'SUCCEEDED',
    result: JSON.stringify(result),
    preview: singleLine(preview, MAX_PREVIEW),
  };
}

/** `more`: for the model alone. */
export function failed(message: string, more: JsonObject = {}): SkillOutcome {
  return {
    status: 'FAILED',
    result: JSON.stringify({ error: message, ...more }),
    preview: singleLine(message, MAX_PREVIEW),
  };
}
