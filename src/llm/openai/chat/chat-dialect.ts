import type { ChatRequest } from '../../chat-model.js';
import type { DialectChange } from '../dialects.js';
import {
  refusesAnswerFormat,
  refusesCallIds,
  refusesEffort,
  refusesForcedTool,
  refusesParameter,
  refusesTools,
  wantsToolsBesideCalls,
} from '../refusal.js';
import { refusalOf } from '../sdk-error.js';
import { forcesTool } from '../conversation.js';
import type { ChatDialect } from './chat-request-body.js';
import { usesAfter } from './echo-uses.js';

/** What to change in requests after this refusal of a chat completion. */
export function learnChatDialect(
  dialect: ChatDialect,
  request: ChatRequest,
  error: unknown,
): DialectChange<ChatDialect> | null {
  const change = changeFor(dialect, request, error);
  return change && { change, isHopeful: change.thinksBesideTools !== true };
}

/** The change of dialect that the refusal suggests; null: none. */
function changeFor(dialect: ChatDialect, request: ChatRequest, error: unknown): Partial<ChatDialect> | null {
  const answer = refusalOf(error);
  if (!answer) return null;
  if (dialect.streamOptions && refusesParameter(answer, 'stream_options')) return { streamOptions: false };
  if (dialect.maxTokensName === 'max_tokens' && refusesParameter(answer, 'max_tokens')) {
    return { maxTokensName: 'max_completion_tokens' };
  }
  if (dialect.effort && request.reasoningEffort !== undefined && refusesEffort(answer))
    return { effort: false };
  if (dialect.structured && request.answerSchema && refusesAnswerFormat(answer)) return { structured: false };
  const echoes = usesAfter(dialect.echoes, request, answer);
  if (echoes) return { echoes };
  if (dialect.callIdsOfOthers && refusesCallIds(answer)) return { callIdsOfOthers: false };
  if (!dialect.tools) return null;
  if (request.tools.length === 0) {
    return dialect.callsWithoutTools && wantsToolsBesideCalls(answer) ? { callsWithoutTools: false } : null;
  }
  if (dialect.forcedTools && forcesTool(request) && refusesForcedTool(answer)) return { forcedTools: false };
  const isAboutEffort = refusesEffort(answer);
  if (dialect.thinksBesideTools && isAboutEffort) return { thinksBesideTools: false };
  if (refusesTools(answer)) return { tools: false };
  // `none` is no cure: what follows is asked as if it had never been tried.
  return isAboutEffort ? { thinksBesideTools: true } : null;
}
