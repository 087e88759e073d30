import type { JsonObject } from '../../../common/json.js';
import type { Conversation } from '../conversation.js';
import type { Question } from '../message.js';
import type { CompletionRequest } from '../server/protocol.js';
import { fold, tidy } from '../reading/words/fold.js';
import type { LookupCall } from './web.js';

export const ANALYZE_DOCUMENT = 'analyze_document';

const toAnalyse =
  /\b(?:analys(?:e|er|ez|ons|es|ing)|analyz(?:e|ing)|analiza\w*|analice\w*|resume[rz]?|resumons|resumir|resumen|resumas|summari[sz]e|sum up|synthetise[rz]?|synthese|sintetiza\w*|examine[rz]?|decortique[rz]?)\b|分析|摘要|總結|解讀/u;
const ofDocument =
  /\b(?:le|ce|mon|notre|votre|du|au|the|this|my|our|el|del|este|mi|nuestro) (?:document|fichier|rapport|pdf|file|report|documento|archivo|informe)\b|(?:這|該|此|我的|我們的)[份個]?(?:文件|報告|檔案)/u;
const forEsg = /\b(?:esg|rse|csr|rsc)\b|永續|社會責任/u;

const quotedName = /[«“"「]\s*([^«»“”"「」\n]{2,200}?)\s*[»”"」]/u;
const fileName =
  /[^\s«»“”"'’「」:;,!?（）()，。]+\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|html?|md|csv|txt)(?![\p{L}\p{N}])/iu;

/** What a document is called in a message: in quotation marks, or by its ending; null: it is not called. */
const nameIn = (text: string): string | null =>
  quotedName.exec(text)?.[1] ?? fileName.exec(text)?.[0] ?? null;

/**
 * The analysis of a document that a message asks for; none once it is made. Null: it asks for none, or it is not to be
 * had.
 */
export function analysisCalls(
  { tools, tool_choice: choice }: CompletionRequest,
  { results }: Conversation,
  { now: { text } }: Question,
): LookupCall[] | null {
  if (typeof choice === 'object' || choice === 'none') return null;
  if (!tools.some((tool) => tool.function.name === ANALYZE_DOCUMENT)) return null;
  const folded = fold(tidy(text));
  if (!toAnalyse.test(folded) || !(ofDocument.test(folded) || fileName.test(text))) return null;
  if (results.some(({ name }) => name === ANALYZE_DOCUMENT)) return [];
  const document = nameIn(text);
  const input: JsonObject = {
    ...(document !== null && { document }),
    ...(forEsg.test(folded) && { focus: 'esg' }),
  };
  return [{ name: ANALYZE_DOCUMENT, arguments: input }];
}
