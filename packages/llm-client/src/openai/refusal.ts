import { modelWords } from './provider-error.js';

/** An HTTP error that a provider answered with. */
export interface Refusal {
  status: number;
  /** Code, type, parameter and message in one line. */
  words: string;
}

const badRequest = [400, 422];
/** OpenRouter has a 404 for a model that nobody serves with what was asked for. */
const unservedRequest = [400, 404, 422];

/** Whether a refusal has one of these statuses, and fits all of the patterns. */
function says({ status, words }: Refusal, statuses: readonly number[], ...patterns: RegExp[]): boolean {
  return statuses.includes(status) && patterns.every((pattern) => pattern.test(words));
}

/** True where it says that it does not take, in whatever way, what `pattern` names. */
export function namesInRefusal(answer: Refusal, pattern: RegExp): boolean {
  const refusal =
    /unsupported|not (be )?(supported|permitted|allowed|verified|enabled)|unknown|unrecogni[sz]ed|unexpected|extra (inputs|fields)|does not support|must be verified|invalid value/i;
  return says(answer, [400, 403, 422], pattern, refusal);
}

/** True where it says that it does not know `parameter`, and not that its value is wrong. */
export function refusesParameter(answer: Refusal, parameter: string): boolean {
  const refusal =
    /unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|not (permitted|allowed)|extra (inputs|fields)|does not support|max_completion_tokens/i;
  return says(answer, badRequest, new RegExp(`\\b${parameter}\\b`), refusal);
}

/** True where it knows `field`, and wants messages without it. */
export function wantsWithout(answer: Refusal, field: string): boolean {
  const wish = /please remove|(must|should) not be (sent|passed|provided|included|present)/i;
  return says(answer, badRequest, new RegExp(`\\b${field}\\b`), wish);
}

/** True where it says that `field` has to be there, and is not. */
export function missesField(answer: Refusal, field: string): boolean {
  const demand = /missing|\brequire[sd]?\b|must be (passed|provided|included|sent|present)/i;
  return says(answer, badRequest, new RegExp(`\\b${field}\\b`), demand);
}

/** True where a model cannot be made to call a tool: most that think cannot, and some know no `tool_choice` at all. */
export function refusesForcedTool(answer: Refusal): boolean {
  const words = /incompatible|may not be enabled|(must|should) (either )?be|no endpoints found/i;
  return refusesParameter(answer, 'tool_choice') || says(answer, unservedRequest, /\btool_choice\b/, words);
}

/** True where a model calls no tools, whether it is made to or not. */
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

/** True where the id that another provider gave to a call is too long, or of characters that are not taken. */
export function refusesCallIds(answer: Refusal): boolean {
  const id = /\btool[_ ]?(call|use)s?(\[\d+\])?[._ ]?id\b/i;
  return says(answer, unservedRequest, id, /\blength\b|too long|pattern|regular expression|characters/i);
}

/** True where a chat completion is refused because the model, or what it was asked for, is to be had by /responses alone. */
export function wantsResponses(answer: Refusal): boolean {
  return says(answer, unservedRequest, /\bv1\/responses\b|responses api/i);
}

/** True where there is no /responses at this address, or not for this model. */
export function lacksResponses(answer: Refusal): boolean {
  if (answer.status === 404) return !modelWords.test(answer.words);
  if (answer.status === 405 || answer.status === 501) return true;
  return says(
    answer,
    badRequest,
    /not supported (with|by|in) the responses api|requested operation is unsupported/i,
  );
}

/** True where a request is refused for how much the model is to think, also when it was not told. */
export function refusesEffort(answer: Refusal): boolean {
  return says(answer, badRequest, /\breasoning_effort\b/);
}

/** True where a request with images is refused because the model sees none. */
export function refusesImages(answer: Refusal): boolean {
  const words =
    /not (be )?support|no endpoints found|unsupported|unknown variant|not a (vision|multimodal)|cannot (read|process|see)|only .{0,20}text|expected .{0,20}string/i;
  return says(answer, unservedRequest, /\b(image(_url| input)?s?|vision|multimodal)\b/i, words);
}

const answerFormatWords = /\bresponse_format\b|\btext\.format\b|\bjson_schema\b|structured[ _]outputs?/i;

/** True where a request is refused for the schema that its answer was to fit, or for having one. */
export function refusesAnswerSchema(answer: Refusal): boolean {
  return says(answer, unservedRequest, answerFormatWords);
}

/** True where a model's answers cannot be made to fit any schema. */
export function refusesAnswerFormat(answer: Refusal): boolean {
  return namesInRefusal(answer, answerFormatWords);
}
