import { singleLine } from '@palabre/text';
import type { JsonObject } from '@palabre/json';

import { MAX_PREVIEW_CHARACTERS } from '../../../conversations/turns/turn-event.js';
import type { SkillOutcome } from '../agent-ports.js';

export function succeeded(result: JsonObject, preview: string): SkillOutcome {
  return {
    status: 'SUCCEEDED',
    result: JSON.stringify(result),
    preview: singleLine(preview, MAX_PREVIEW_CHARACTERS),
  };
}

/** `more`: fields for the model only. */
export function failed(message: string, more: JsonObject = {}): SkillOutcome {
  return {
    status: 'FAILED',
    result: JSON.stringify({ error: message, ...more }),
    preview: singleLine(message, MAX_PREVIEW_CHARACTERS),
  };
}
