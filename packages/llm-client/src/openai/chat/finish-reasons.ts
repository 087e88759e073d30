import type { StopReason } from '../../chat-model.js';

/** The meaning of a provider's finish reason. Failure: the result is not an answer, and a retry may help. */
type Ending = StopReason | 'failure';

const endings: Readonly<Record<Ending, readonly string[]>> = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'eos', 'complete'],
  length: [
    'length',
    'max_tokens',
    'max_output_tokens',
    'model_length',
    // Anthropic's and Zhipu's value for a full window
    'model_context_window_exceeded',
  ],
  'tool-calls': ['tool_calls', 'tool_use', 'function_call'],
  'content-filter': [
    'content_filter',
    'safety',
    'sensitive',
    'refusal',
    'guardrail_intervened',
    // Google's own values, which gateways pass on
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
    // Google's values for a call that the model failed to write
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

/** Google gives the filter after a colon: `content_filter: RECITATION`. */
export function endingOf(finishReason: string | null): Ending {
  const [word = ''] = (finishReason ?? '').split(':');
  return known.get(word.trim().toLowerCase()) ?? 'unknown';
}
