import type { ChatRequest } from '../../chat-model.js';
import { forcesTool } from '../conversation.js';
import { changeOfContent, type Protocol } from '../dialects.js';
import { namesInRefusal, type Refusal, refusesForcedTool, refusesTools } from '../refusal.js';
import { ResponseReader } from './response-reader.js';
import {
  commonResponsesDialect,
  type ResponsesDialect,
  responsesRequestBody,
} from './responses-request-body.js';

export const responsesApi: Protocol<ResponsesDialect> = {
  path: '/responses',
  common: commonResponsesDialect,
  Reader: ResponseReader,
  bodyOf: responsesRequestBody,
  changeAfter,
};

function changeAfter(
  dialect: ResponsesDialect,
  request: ChatRequest,
  answer: Refusal,
): Partial<ResponsesDialect> | null {
  const names = (pattern: RegExp): boolean => namesInRefusal(answer, pattern);
  if (dialect.encryptedThoughts && names(/encrypted[_ ]content|\binclude\b/i))
    return { encryptedThoughts: false };
  if (dialect.summaries && names(/reasoning[._ ]summar|\bsummary\b/i)) return { summaries: false };
  if (names(/\breasoning\b|reasoning[._ ]effort/i)) {
    if (dialect.effort && request.reasoningEffort !== undefined) return { effort: false };
    if (dialect.summaries) return { summaries: false };
  }
  if (dialect.cacheKey && request.cacheKey !== undefined && names(/prompt_cache_key/))
    return { cacheKey: false };
  const content = changeOfContent(dialect, request, answer);
  if (content) return content;
  if (!dialect.tools || request.tools.length === 0) return null;
  if (dialect.forcedTools && forcesTool(request) && refusesForcedTool(answer)) return { forcedTools: false };
  return refusesTools(answer) ? { tools: false } : null;
}
