import type { Question } from '../message.js';
import { failureIn } from '../result-failure.js';
import type { Conversation } from '../conversation.js';
import { resultValue, type ToolResult } from '../tool-result.js';
import { asObject } from '../json-access.js';
import type { CompletionRequest } from '../server/protocol.js';
import type { Language } from '../reading/words/language.js';
import { CONTINUE_IN_BACKGROUND, SYNTHESIZE } from './controls.js';
import { asksForDepth } from './depth.js';
import type { LookupCall } from './web.js';

const offers = ({ tools }: CompletionRequest, name: string): boolean =>
  tools.some((tool) => tool.function.name === name);

/** Whether a request asks what to do next, and not for words. */
export const isPlanning = (request: CompletionRequest): boolean =>
  request.tool_choice === 'required' && offers(request, SYNTHESIZE);

interface Reasons {
  background: string;
  found: string;
  failed: string;
  missing: string;
  nothing: string;
}

const reasons: Readonly<Record<Language, Reasons>> = {
  fr: {
    background: "Une recherche approfondie demande plus de temps que n'en laisse l'attente devant l'écran.",
    found: 'Les résultats obtenus permettent de répondre.',
    failed: "Les outils n'ont pas abouti et aucun autre ne peut en apprendre davantage.",
    missing: 'Il faut demander une précision avant de continuer.',
    nothing: 'Il ne reste rien à chercher avec les outils disponibles.',
  },
  en: {
    background: 'Thorough research takes longer than anybody should wait in front of a screen.',
    found: 'What was found is enough to answer.',
    failed: 'The tools did not succeed and no other can tell more.',
    missing: 'A detail has to be asked for before going on.',
    nothing: 'There is nothing more to look up with the available tools.',
  },
  es: {
    background: 'Una investigación a fondo lleva más tiempo del que se puede esperar ante la pantalla.',
    found: 'Los resultados obtenidos permiten responder.',
    failed: 'Las herramientas no han dado resultado y ninguna otra puede aportar más.',
    missing: 'Hay que pedir un dato antes de continuar.',
    nothing: 'No queda nada que buscar con las herramientas disponibles.',
  },
  'zh-Hant': {
    background: '深入研究需要較長的時間，不必在螢幕前等待。',
    found: '已取得的資料足以回答。',
    failed: '工具沒有成功，也沒有其他工具能提供更多資料。',
    missing: '需要先請對方補充資料，才能繼續。',
    nothing: '以現有的工具，沒有其他可以查詢的內容。',
  },
};

/** To go on in the background, before anything else is done; null: not asked for, or done already. */
export const moveCall = (
  request: CompletionRequest,
  { language }: Conversation,
  question: Question,
): LookupCall | null =>
  offers(request, CONTINUE_IN_BACKGROUND) && asksForDepth(question)
    ? { name: CONTINUE_IN_BACKGROUND, arguments: { reason: reasons[language].background } }
    : null;

/** A result with something in it; a search that found nothing succeeded as well. */
function isTelling(result: ToolResult): boolean {
  const value = resultValue(result);
  const lists = ['results', 'passages'].map((key) => asObject(value)[key]).filter(Array.isArray);
  return failureIn(value) === null && !lists.some((list) => list.length === 0);
}

/** To have the answer written, when nothing more is to be looked up. `isIncomplete`: a skill lacks a detail. */
export function synthesisCall(conversation: Conversation, isIncomplete: boolean): LookupCall {
  const { language } = conversation;
  const results = [...conversation.results, ...conversation.ownResults];
  const { found, failed, missing, nothing } = reasons[language];
  const isFailed = results.some((result) => failureIn(resultValue(result)) !== null);
  const without = isFailed ? failed : isIncomplete ? missing : nothing;
  return { name: SYNTHESIZE, arguments: { reason: results.some(isTelling) ? found : without } };
}
