import type { ChatRequest } from '../../chat-model.js';
import { forcesTool } from '../conversation.js';
import { changeOfContent, type Protocol } from '../dialects.js';
import {
  type Refusal,
  refusesCallIds,
  refusesEffort,
  refusesForcedTool,
  refusesParameter,
  refusesTools,
  wantsToolsBesideCalls,
} from '../refusal.js';
import { type ChatDialect, chatRequestBody, commonChatDialect } from './chat-request-body.js';
import { CompletionReader } from './completion-reader.js';
import { usesAfter } from './echo-uses.js';

export const chatCompletions: Protocol<ChatDialect> = {
  path: '/chat/completions',
  common: commonChatDialect,
  Reader: CompletionReader,
  bodyOf: chatRequestBody,
  changeAfter,
};

function changeAfter(
  dialect: ChatDialect,
  request: ChatRequest,
  answer: Refusal,
): Partial<ChatDialect> | null {
  if (dialect.streamOptions && refusesParameter(answer, 'stream_options')) return { streamOptions: false };
  if (dialect.maxTokensName === 'max_tokens' && refusesParameter(answer, 'max_tokens'))
    return { maxTokensName: 'max_completion_tokens' };
  if (dialect.effort && request.reasoningEffort !== undefined && refusesEffort(answer))
    return { effort: false };
  const content = changeOfContent(dialect, request, answer);
  if (content) return content;
  const echoes = usesAfter(dialect.echoes, request, answer);
  if (echoes) return { echoes };
  if (dialect.callIdsOfOthers && refusesCallIds(answer)) return { callIdsOfOthers: false };
  if (!dialect.tools) return null;
  if (request.tools.length === 0)
    return dialect.callsWithoutTools && wantsToolsBesideCalls(answer) ? { callsWithoutTools: false } : null;
  if (dialect.forcedTools && forcesTool(request) && refusesForcedTool(answer)) return { forcedTools: false };
  const isAboutEffort = refusesEffort(answer);
  if (dialect.thinksBesideTools && isAboutEffort) return { thinksBesideTools: false };
  if (refusesTools(answer)) return { tools: false };
  // `none` did not help either, so later requests are sent as before.
  return isAboutEffort ? { thinksBesideTools: true } : null;
}
