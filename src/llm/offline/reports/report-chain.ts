import { extractArguments } from '../arguments/argument-extraction.js';
import { answersIn, isAnswerSheet, listsQuestionsOf, setAsideIn } from '../arguments/answer-sheet.js';
import { elementOf, enumOf, propertiesOf, type Property } from '../arguments/property.js';
import type { JsonObject, JsonValue } from '../../../common/json.js';
import type { Conversation } from '../conversation.js';
import { asObject, asText, parseJson } from '../json-access.js';
import type { LookupCall } from '../lookup/web.js';
import { Message, Question } from '../message.js';
import { isOfCompetitor } from '../own-company.js';
import { failureIn } from '../result-failure.js';
import { chooseTools } from '../tool-choice.js';
import type { ToolProfile } from '../tool-profile.js';
import { resultValue } from '../tool-result.js';
import { asksForFile, formatIn } from './report-request.js';

export const GENERATE_REPORT = 'generate_report';

/** What a report of each kind is made of: the latest result of one skill. */
const sources = {
  esg: 'calculate_esg_score',
  carbon: 'calculate_carbon_footprint',
  financing: 'find_green_financing',
} as const;
export type ReportKind = keyof typeof sources;

export const isReportKind = (kind: string): kind is ReportKind => Object.hasOwn(sources, kind);
const mostReports = 2;

const messagesOf = ({ earlier, question }: Conversation): string[] => [
  ...earlier.map((exchange) => exchange.question),
  question,
];

/** The messages on the company that the question is about: what is said of a competitor is not mixed with one's own. */
const messagesOn = (conversation: Conversation): string[] =>
  isOfCompetitor(conversation.question)
    ? [conversation.question]
    : messagesOf(conversation).filter((text) => !isOfCompetitor(text));

/** The list beside a form of the questions that do not apply. */
const asideList = (all: readonly Property[]): Property | null =>
  all.find(
    (property) => property.type === 'array' && listsQuestionsOf(property, enumOf(elementOf(property)), all),
  ) ?? null;

/** The arguments with all that was said in the conversation of the questions of a form, the latest where it differs. */
export function withAllAnswers(
  parameters: JsonObject,
  given: JsonObject,
  conversation: Conversation,
): JsonObject {
  const all = propertiesOf(parameters);
  const sheet = all.find(isAnswerSheet);
  if (!sheet) return given;
  const list = asideList(all);
  const answers = new Map<string, JsonValue>();
  const aside = new Set<string>();
  // What is said later stands, by whichever way it is said.
  for (const text of messagesOn(conversation)) {
    for (const key of list ? setAsideIn(enumOf(elementOf(list)), text) : []) {
      aside.add(key);
      answers.delete(key);
    }
    for (const [key, value] of Object.entries(answersIn(sheet, text))) {
      answers.set(key, value);
      aside.delete(key);
    }
  }
  return {
    ...given,
    ...(answers.size > 0 && { [sheet.name]: Object.fromEntries(answers) }),
    ...(list && aside.size > 0 && { [list.name]: [...aside] }),
  };
}

/** The last question of the conversation that calls for one of some skills and was not taken back, and what to call. */
function lastAsked(
  conversation: Conversation,
  profiles: readonly ToolProfile[],
): { name: string; arguments: JsonObject } | null {
  const earlier = conversation.earlier.filter(({ unanswered }) => unanswered !== 'WITHDRAWN');
  for (const text of messagesOf({ ...conversation, earlier }).toReversed()) {
    const question = new Question(new Message(text));
    const choice = chooseTools(question, profiles, []).find(({ extraction }) => extraction.complete);
    if (!choice) continue;
    const { name, parameters } = choice.profile.tool;
    return { name, arguments: withAllAnswers(parameters, choice.extraction.arguments, conversation) };
  }
  return null;
}

const kindOfSource = (name: string): ReportKind | null =>
  Object.keys(sources)
    .filter(isReportKind)
    .find((kind) => sources[kind] === name) ?? null;

const sourcesAmong = (profiles: readonly ToolProfile[]): ToolProfile[] =>
  profiles.filter(({ tool }) => kindOfSource(tool.name) !== null);

/** What a report is called with: the kind that was worked on last where none is named, and the format that is named. */
export function reportArguments(
  profiles: readonly ToolProfile[],
  { now }: Question,
  conversation: Conversation,
): JsonObject | null {
  const tool = profiles.find((profile) => profile.tool.name === GENERATE_REPORT)?.tool;
  const named = tool ? asText(extractArguments(tool.parameters, now.reading).arguments['kind']) : '';
  const asked = named === '' ? lastAsked(conversation, sourcesAmong(profiles)) : null;
  const kind = named || (asked && kindOfSource(asked.name));
  const format = formatIn(now.reading);
  return kind ? { kind, ...(format && { format }) } : null;
}

/** A report that is asked for together with what it is made of waits for it. */
export const reportsLast = (calls: readonly LookupCall[]): LookupCall[] => {
  const made = calls.some(({ name }) => kindOfSource(name) !== null);
  return calls.filter(({ name }) => !(made && name === GENERATE_REPORT));
};

/** A report that was asked for together with what it is made of, once that is there. */
function reportDue(
  { results }: Conversation,
  profiles: readonly ToolProfile[],
  { now }: Question,
): LookupCall[] {
  const offers = profiles.some(({ tool }) => tool.name === GENERATE_REPORT);
  const isCalled = results.some(({ name }) => name === GENERATE_REPORT);
  if (!offers || isCalled || !now.sentences.some(({ reading }) => asksForFile(reading))) return [];
  const made = results.findLast(
    (result) => kindOfSource(result.name) !== null && failureIn(resultValue(result)) === null,
  );
  const kind = made ? kindOfSource(made.name) : null;
  const format = formatIn(now.reading);
  return kind ? [{ name: GENERATE_REPORT, arguments: { kind, ...(format && { format }) } }] : [];
}

/** What to call after a report that had nothing to tell of: what it is made of, if the conversation gives it; then it again. */
function reportAgain(conversation: Conversation, profiles: readonly ToolProfile[]): LookupCall[] {
  const { results } = conversation;
  const at = results.findLastIndex(({ name }) => name === GENERATE_REPORT);
  const last = results[at];
  const reports = results.filter(({ name }) => name === GENERATE_REPORT).length;
  if (!last || reports >= mostReports || failureIn(resultValue(last)) === null) return [];
  const ordered = asObject(parseJson(last.arguments) ?? {});
  const kind = asText(ordered['kind']);
  if (!isReportKind(kind)) return [];
  const made = results.slice(at + 1).filter(({ name }) => name === sources[kind]);
  if (made.length > 0) {
    const isMade = made.some((result) => failureIn(resultValue(result)) === null);
    return isMade ? [{ name: GENERATE_REPORT, arguments: ordered }] : [];
  }
  const profile = profiles.find(({ tool }) => tool.name === sources[kind]);
  if (!profile) return [];
  const asked = lastAsked(conversation, [profile]);
  const input = asked?.arguments ?? withAllAnswers(profile.tool.parameters, {}, conversation);
  return Object.keys(input).length > 0 ? [{ name: sources[kind], arguments: input }] : [];
}

/** What of a report is to be called next, besides what the question itself calls for. */
export const reportCalls = (
  conversation: Conversation,
  profiles: readonly ToolProfile[],
  question: Question,
): LookupCall[] => [...reportDue(conversation, profiles, question), ...reportAgain(conversation, profiles)];
