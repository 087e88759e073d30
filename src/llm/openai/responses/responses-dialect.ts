import type { ChatRequest } from '../../chat-model.js';
import { forcesTool } from '../conversation.js';
import type { DialectChange } from '../dialects.js';
import { namesInRefusal, refusesAnswerFormat, refusesForcedTool, refusesTools } from '../refusal.js';
import { refusalOf } from '../sdk-error.js';
import type { ResponsesDialect } from './responses-request-body.js';

/** What to change in requests after this refusal. Each change is made once and never undone. */
export function learnResponsesDialect(
  dialect: ResponsesDialect,
  request: ChatRequest,
  error: unknown,
): DialectChange<ResponsesDialect> | null {
  const answer = refusalOf(error);
  if (!answer) return null;
  const names = (pattern: RegExp): boolean => namesInRefusal(answer, pattern);
  const give = (change: Partial<ResponsesDialect>): DialectChange<ResponsesDialect> => ({
    change,
    isHopeful: true,
  });
  if (dialect.encryptedThoughts && names(/encrypted[_ ]content|\binclude\b/i)) {
    return give({ encryptedThoughts: false });
  }
  if (dialect.summaries && names(/reasoning[._ ]summar|\bsummary\b/i)) return give({ summaries: false });
  if (names(/\breasoning\b|reasoning[._ ]effort/i)) {
    if (dialect.effort && request.reasoningEffort !== undefined) return give({ effort: false });
    if (dialect.summaries) return give({ summaries: false });
  }
  if (dialect.structured && request.answerSchema && refusesAnswerFormat(answer)) {
    return give({ structured: false });
  }
  if (dialect.cacheKey && request.cacheKey !== undefined && names(/prompt_cache_key/)) {
    return give({ cacheKey: false });
  }
  if (!dialect.tools || request.tools.length === 0) return null;
  if (dialect.forcedTools && forcesTool(request) && refusesForcedTool(answer))
    return give({ forcedTools: false });
  return refusesTools(answer) ? give({ tools: false }) : null;
}
