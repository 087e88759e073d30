import { extractArguments } from '../arguments/argument-extraction.js';
import { answersIn, isAnswerSheet, listsQuestionsOf, setAsideIn } from '../arguments/answer-sheet.js';
import { elementOf, enumOf, propertiesOf, type Property } from '../arguments/values/property.js';
import type { JsonObject, JsonValue } from '../../../common/json.js';
import type { Conversation } from '../conversation.js';
import { asObject, asText, parseJson } from '../json-access.js';
import type { LookupCall } from '../lookup/web.js';
import { Message, Question } from '../message.js';
import { isOfCompetitor } from '../own-company.js';
import { failureIn } from '../result-failure.js';
import { chooseTools } from '../tool-choice.js';
import type { Reading } from '../reading/read.js';
import type { ToolProfile } from '../tool-profile.js';
import { resultValue } from '../tool-result.js';
import { asksAgain, asksForFile, formatIn } from './report-request.js';

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

/** The kind of report that a text names. */
function kindNamed(profiles: readonly ToolProfile[], reading: Reading): ReportKind | null {
  const tool = profiles.find((profile) => profile.tool.name === GENERATE_REPORT)?.tool;
  const kind = tool ? asText(extractArguments(tool.parameters, reading).arguments['kind']) : '';
  return isReportKind(kind) ? kind : null;
}

/** The kind that the orders for a file in a message name, rather than what else it speaks of. */
function kindOrdered(profiles: readonly ToolProfile[], { sentences }: Message): ReportKind | null {
  const orders = sentences.filter(({ reading }) => asksForFile(reading));
  return orders.map(({ reading }) => kindNamed(profiles, reading)).find((kind) => kind !== null) ?? null;
}

/** What the last report before a question was ordered with; null: none was. */
function lastReport(profiles: readonly ToolProfile[], conversation: Conversation): JsonObject | null {
  const { earlier } = conversation;
  const at = earlier.findLastIndex(
    ({ question, unanswered }) => unanswered !== 'WITHDRAWN' && asksForFile(new Message(question).reading),
  );
  const last = earlier[at];
  if (!last) return null;
  const question = new Question(new Message(last.question));
  return reportArguments(profiles, question, {
    ...conversation,
    question: last.question,
    earlier: earlier.slice(0, at),
  });
}

/**
 * What a report is called with: where no kind is named, that of the report that is to be made again, or else the one
 * that was worked on last; and the format that is named.
 */
export function reportArguments(
  profiles: readonly ToolProfile[],
  { now }: Question,
  conversation: Conversation,
): JsonObject | null {
  const format = formatIn(now.reading);
  const named = kindOrdered(profiles, now) ?? kindNamed(profiles, now.reading);
  const former = named === null && asksAgain(now.reading) ? lastReport(profiles, conversation) : null;
  if (former) return { ...former, ...(format && { format }) };
  const asked = named === null ? lastAsked(conversation, sourcesAmong(profiles)) : null;
  const kind = named ?? (asked && kindOfSource(asked.name));
  return kind ? { kind, ...(format && { format }) } : null;
}

/** A report that is asked for together with what it is made of waits for it; and none is made twice at once. */
export const reportsLast = (calls: readonly LookupCall[], reports: readonly LookupCall[]): LookupCall[] => {
  const made = calls.some(({ name }) => kindOfSource(name) !== null);
  const waits = made || reports.length > 0;
  return [...calls.filter(({ name }) => !(waits && name === GENERATE_REPORT)), ...reports];
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
  const last = results.findLast(
    (result) => kindOfSource(result.name) !== null && failureIn(resultValue(result)) === null,
  );
  const kind = last ? (kindOrdered(profiles, now) ?? kindOfSource(last.name)) : null;
  const format = formatIn(now.reading);
  return kind ? [{ name: GENERATE_REPORT, arguments: { kind, ...(format && { format }) } }] : [];
}

/** What to call after a report that had nothing to tell of: what it is made of, if the conversation gives it; then it again. */
function reportAgain(
  conversation: Conversation,
  profiles: readonly ToolProfile[],
  { now }: Question,
): LookupCall[] {
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
  const { parameters } = profile.tool;
  const asked = lastAsked(conversation, [profile]);
  // «Prépare un dossier de financement au Bénin» asks for the file alone, and says what it is to be made of.
  const { arguments: said, complete } = extractArguments(parameters, now.reading);
  const input = asked?.arguments ?? withAllAnswers(parameters, complete ? said : {}, conversation);
  return Object.keys(input).length > 0 ? [{ name: sources[kind], arguments: input }] : [];
}

/** What of a report is to be called next, besides what the question itself calls for. */
export const reportCalls = (
  conversation: Conversation,
  profiles: readonly ToolProfile[],
  question: Question,
): LookupCall[] => [
  ...reportDue(conversation, profiles, question),
  ...reportAgain(conversation, profiles, question),
];
