import { modelWords, wordsOf } from './provider-error.js';

/** An HTTP error that a provider answered with. */
export interface Refusal {
  status: number;
  body: unknown;
}

const toollessWords =
  /(?:does not|doesn't) support (?:tools|tool[- ](?:use|calls|calling)|function[- ]calling)\b|\b(?:tools|tool[- ](?:use|calling)|function[- ]calling)[`'"]? (?:is|are) not (?:supported|enabled)|no endpoints found that support tool use/i;

/** True where a 400, 403 or 422 says that it does not take, in whatever way, what `pattern` names. */
export function namesInRefusal(answer: Refusal, pattern: RegExp): boolean {
  if (![400, 403, 422].includes(answer.status)) return false;
  const { all } = wordsOf(answer.body);
  return (
    pattern.test(all) &&
    /unsupported|not (be )?(supported|permitted|allowed|verified|enabled)|unknown|unrecogni[sz]ed|unexpected|extra (inputs|fields)|does not support|must be verified|invalid value/i.test(
      all,
    )
  );
}

/** True where a 400 or 422 says that it does not know `parameter`, and not that its value is wrong. */
export function refusesParameter(answer: Refusal, parameter: string): boolean {
  if (answer.status !== 400 && answer.status !== 422) return false;
  const { all } = wordsOf(answer.body);
  const refusal =
    /unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|not (permitted|allowed)|extra (inputs|fields)|does not support|max_completion_tokens/i;
  return new RegExp(`\\b${parameter}\\b`).test(all) && refusal.test(all);
}

/** True where a 400 or 422 knows `field`, and wants messages without it. */
export function wantsWithout(answer: Refusal, field: string): boolean {
  if (answer.status !== 400 && answer.status !== 422) return false;
  const { all } = wordsOf(answer.body);
  return (
    new RegExp(`\\b${field}\\b`).test(all) &&
    /please remove|(must|should) not be (sent|passed|provided|included|present)/i.test(all)
  );
}

/** True where a 400 or 422 says that `field` has to be there, and is not. */
export function missesField(answer: Refusal, field: string): boolean {
  if (answer.status !== 400 && answer.status !== 422) return false;
  const { all } = wordsOf(answer.body);
  return (
    new RegExp(`\\b${field}\\b`).test(all) &&
    /missing|\brequire[sd]?\b|must be (passed|provided|included|sent|present)/i.test(all)
  );
}

/** True where a model cannot be made to call a tool: most that think cannot, and some know no `tool_choice` at all. */
export function refusesForcedTool(answer: Refusal): boolean {
  if (refusesParameter(answer, 'tool_choice')) return true;
  const { all } = wordsOf(answer.body);
  return (
    isAboutRequest(answer) &&
    /\btool_choice\b/.test(all) &&
    /incompatible|may not be enabled|(must|should) (either )?be|no endpoints found/i.test(all)
  );
}

/** True where a model calls no tools, whether it is made to or not. */
export function refusesTools(answer: Refusal): boolean {
  return isAboutRequest(answer) && toollessWords.test(wordsOf(answer.body).all);
}

/** True where earlier skill calls are accepted only together with tools: Bedrock, Anthropic behind LiteLLM. */
export function wantsToolsBesideCalls(answer: Refusal): boolean {
  return (
    isAboutRequest(answer) &&
    /toolConfig field must be defined|without `?tools=`? param|must define tools/i.test(
      wordsOf(answer.body).all,
    )
  );
}

/** True where the id that another provider gave to a call is too long, or of characters that are not taken. */
export function refusesCallIds(answer: Refusal): boolean {
  const { all } = wordsOf(answer.body);
  return (
    isAboutRequest(answer) &&
    /\btool[_ ]?(call|use)s?(\[\d+\])?[._ ]?id\b/i.test(all) &&
    /\blength\b|too long|pattern|regular expression|characters/i.test(all)
  );
}

/** True where a chat completion is refused because the model, or what it was asked for, is to be had by /responses alone. */
export function wantsResponses(answer: Refusal): boolean {
  return isAboutRequest(answer) && /\bv1\/responses\b|responses api/i.test(wordsOf(answer.body).all);
}

/** True where there is no /responses at this address, or not for this model. */
export function lacksResponses(answer: Refusal): boolean {
  const { all } = wordsOf(answer.body);
  if (answer.status === 404) return !modelWords.test(all);
  if (answer.status === 405 || answer.status === 501) return true;
  return (
    isAboutRequest(answer) &&
    /not supported (with|by|in) the responses api|requested operation is unsupported/i.test(all)
  );
}

/** True where a request is refused for how much the model is to think, also when it was not told. */
export function refusesEffort(answer: Refusal): boolean {
  return [400, 422].includes(answer.status) && /\breasoning_effort\b/.test(wordsOf(answer.body).all);
}

const answerFormatWords = /\bresponse_format\b|\btext\.format\b|\bjson_schema\b|structured[ _]outputs?/i;

/** True where a request is refused for the schema that its answer was to fit, or for having one. */
export function refusesAnswerSchema(answer: Refusal): boolean {
  return isAboutRequest(answer) && answerFormatWords.test(wordsOf(answer.body).all);
}

/** True where a model's answers cannot be made to fit any schema. */
export function refusesAnswerFormat(answer: Refusal): boolean {
  return namesInRefusal(answer, answerFormatWords);
}

/** OpenRouter has a 404 for a model that nobody serves with what was asked for. */
function isAboutRequest({ status }: Refusal): boolean {
  return [400, 404, 422].includes(status);
}
