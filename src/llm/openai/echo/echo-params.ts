import type { OpenAI } from 'openai';
import type { JsonObject } from '../../../common/json.js';
import type { EchoContent } from './echo-content.js';
import type { EchoField, EchoUse, EchoUses } from './echo-uses.js';

type AssistantParam = OpenAI.ChatCompletionAssistantMessageParam;

/** Thoughts that are not there: Moonshot and DeepSeek V4 take an empty text for a field that is missing. */
const NO_THOUGHTS = ' ';
/** Google's own word for a call that has no signature, as one that another model made. */
const NO_SIGNATURE: JsonObject = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** An assistant's message with what its model wants back with it; null: it has nothing of this model's. */
export function withEcho(param: AssistantParam, content: EchoContent | null, uses: EchoUses): AssistantParam {
  const thoughts =
    content?.reasoning_content ?? (uses.reasoning_content === 'ALWAYS' ? NO_THOUGHTS : undefined);
  return {
    ...param,
    ...(param.tool_calls && { tool_calls: signed(param.tool_calls, content, uses.extra_content) }),
    ...field('reasoning_content', thoughts, uses),
    ...field('reasoning_details', content?.reasoning_details, uses),
    ...field('extra_content', content?.extra_content, uses),
  };
}

const field = (name: EchoField, value: unknown, uses: EchoUses): Record<string, unknown> =>
  value === undefined || uses[name] === 'NEVER' ? {} : { [name]: value };

/** Of calls that were made together only the first is signed. */
function signed(
  calls: NonNullable<AssistantParam['tool_calls']>,
  content: EchoContent | null,
  use: EchoUse,
): NonNullable<AssistantParam['tool_calls']> {
  if (use === 'NEVER') return calls;
  const extras = new Map(content?.calls);
  return calls.map((call, index) => {
    const extra = extras.get(call.id) ?? (use === 'ALWAYS' && index === 0 ? NO_SIGNATURE : null);
    return extra ? { ...call, extra_content: extra } : call;
  });
}
