import type { StopReason } from '../../chat-model.js';

/** What a provider's finish reason comes to. A failure: what came is not an answer, and another call may well bring one. */
type Ending = StopReason | 'failure';

const endings: Readonly<Record<Ending, readonly string[]>> = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'eos', 'complete'],
  length: [
    'length',
    'max_tokens',
    'max_output_tokens',
    'model_length',
    // Anthropic's and Zhipu's word for a window that is full
    'model_context_window_exceeded',
  ],
  'tool-calls': ['tool_calls', 'tool_use', 'function_call'],
  'content-filter': [
    'content_filter',
    'safety',
    'sensitive',
    'refusal',
    'guardrail_intervened',
    // Google's own words, which gateways hand on
    'recitation',
    'prohibited_content',
    'blocklist',
    'spii',
  ],
  failure: [
    'error',
    'abort',
    'insufficient_system_resource',
    'network_error',
    // Google's words for a call that the model did not get written
    'function_call_filter',
    'malformed_function_call',
  ],
  unknown: [],
};

const known = new Map<string, Ending>(
  Object.entries(endings).flatMap(([ending, words]) =>
    words.map((word) => [word, ending as Ending] as const),
  ),
);

/** Google says behind a colon what it is that was filtered: `content_filter: RECITATION`. */
export function endingOf(finishReason: string | null): Ending {
  const [word = ''] = (finishReason ?? '').split(':');
  return known.get(word.trim().toLowerCase()) ?? 'unknown';
}
