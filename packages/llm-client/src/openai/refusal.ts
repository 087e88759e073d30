import { modelWords } from './provider-error.js';

/** A provider's HTTP error. */
export interface Refusal {
  status: number;
  /** Code, type, parameter and message in one line. */
  words: string;
}

const badRequest = [400, 422];
/** OpenRouter has a 404 for a model that nobody serves with what was asked for. */
const unservedRequest = [400, 404, 422];

/** Whether a refusal has one of these statuses and matches all patterns. */
function says({ status, words }: Refusal, statuses: readonly number[], ...patterns: RegExp[]): boolean {
  return statuses.includes(status) && patterns.every((pattern) => pattern.test(words));
}

/** True if it rejects what `pattern` names, for any reason. */
export function namesInRefusal(answer: Refusal, pattern: RegExp): boolean {
  const refusal =
    /unsupported|not (be )?(supported|permitted|allowed|verified|enabled)|unknown|unrecogni[sz]ed|unexpected|extra (inputs|fields)|does not support|must be verified|invalid value/i;
  return says(answer, [400, 403, 422], pattern, refusal);
}

/** True if `parameter` is unknown, not just its value wrong. */
export function refusesParameter(answer: Refusal, parameter: string): boolean {
  const refusal =
    /unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|not (permitted|allowed)|extra (inputs|fields)|does not support|max_completion_tokens/i;
  return says(answer, badRequest, new RegExp(`\\b${parameter}\\b`), refusal);
}

/** True if `field` is known but not allowed in messages. */
export function wantsWithout(answer: Refusal, field: string): boolean {
  const wish = /please remove|(must|should) not be (sent|passed|provided|included|present)/i;
  return says(answer, badRequest, new RegExp(`\\b${field}\\b`), wish);
}

/** True if `field` is required and missing. */
export function missesField(answer: Refusal, field: string): boolean {
  const demand = /missing|\brequire[sd]?\b|must be (passed|provided|included|sent|present)/i;
  return says(answer, badRequest, new RegExp(`\\b${field}\\b`), demand);
}

/** True if the model cannot be made to call a tool. Most reasoning models cannot, and some know no `tool_choice`. */
export function refusesForcedTool(answer: Refusal): boolean {
  const words = /incompatible|may not be enabled|(must|should) (either )?be|no endpoints found/i;
  return refusesParameter(answer, 'tool_choice') || says(answer, unservedRequest, /\btool_choice\b/, words);
}

export function refusesTools(answer: Refusal): boolean {
  return says(
    answer,
    unservedRequest,
    /(?:does not|doesn't) support (?:tools|tool[- ](?:use|calls|calling)|function[- ]calling)\b|\b(?:tools|tool[- ](?:use|calling)|function[- ]calling)[`'"]? (?:is|are) not (?:supported|enabled)|no endpoints found that support tool use/i,
  );
}

/** True where earlier skill calls are accepted only together with tools: Bedrock, Anthropic behind LiteLLM. */
export function wantsToolsBesideCalls(answer: Refusal): boolean {
  const words = /toolConfig field must be defined|without `?tools=`? param|must define tools/i;
  return says(answer, unservedRequest, words);
}

/** True if another provider's call id is too long or has forbidden characters. */
export function refusesCallIds(answer: Refusal): boolean {
  const id = /\btool[_ ]?(call|use)s?(\[\d+\])?[._ ]?id\b/i;
  return says(answer, unservedRequest, id, /\blength\b|too long|pattern|regular expression|characters/i);
}

/** True if the model, or the requested feature, exists only under /responses. */
export function wantsResponses(answer: Refusal): boolean {
  return says(answer, unservedRequest, /\bv1\/responses\b|responses api/i);
}

/** True if /responses does not exist here, or not for this model. */
export function lacksResponses(answer: Refusal): boolean {
  if (answer.status === 404) return !modelWords.test(answer.words);
  if (answer.status === 405 || answer.status === 501) return true;
  return says(
    answer,
    badRequest,
    /not supported (with|by|in) the responses api|requested operation is unsupported/i,
  );
}

/** True if the effort is refused, even a default one. */
export function refusesEffort(answer: Refusal): boolean {
  return says(answer, badRequest, /\breasoning_effort\b/);
}

/** True if images are refused because the model sees none. */
export function refusesImages(answer: Refusal): boolean {
  const words =
    /not (be )?support|no endpoints found|unsupported|unknown variant|not a (vision|multimodal)|cannot (read|process|see)|only .{0,20}text|expected .{0,20}string/i;
  return says(answer, unservedRequest, /\b(image(_url| input)?s?|vision|multimodal)\b/i, words);
}

const answerFormatWords = /\bresponse_format\b|\btext\.format\b|\bjson_schema\b|structured[ _]outputs?/i;

/** True if the schema of the answer is refused, or any schema. */
export function refusesAnswerSchema(answer: Refusal): boolean {
  return says(answer, unservedRequest, answerFormatWords);
}

/** True if no schema is accepted for answers. */
export function refusesAnswerFormat(answer: Refusal): boolean {
  return namesInRefusal(answer, answerFormatWords);
}
