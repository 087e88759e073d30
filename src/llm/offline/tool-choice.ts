import { extractArguments, type Extraction } from './arguments/argument-extraction.js';
import { narrowed } from './arguments/narrowed.js';
import { isCountry, propertiesOf } from './arguments/values/property.js';
import type { Question } from './message.js';
import { saidOfCompany } from './own-company.js';
import { type Meaning, weightOf } from './reading/words/meaning.js';
import { isHan } from './reading/words/fold.js';
import { read, type Reading } from './reading/read.js';
import { salientWords } from './reading/words/salient.js';
import { asksForMeaning, seeksAdvice, type Sentence, wantedIn } from './sentence.js';
import { smallTalkIn } from './small-talk.js';
import { isAnswerSheet } from './arguments/answer-sheet.js';
import { asksForFile } from './reports/report-request.js';
import { type Fit, isMatter, makesFiles, match, type ToolProfile } from './tool-profile.js';

/** A tool that fits the question, with the arguments the text gives for it. */
export interface Choice {
  profile: ToolProfile;
  extraction: Extraction;
}

/** Much of the question is the tool's business. */
const fitsWell = ({ score, matched, total }: Fit): boolean => score >= 0.9 && matched >= 0.34 * total;

/** Nearly all of a question with little in it is: enough for a tool that can then be called as it stands. */
const fitsBarely = ({ score, matched, total }: Fit): boolean => score >= 0.39 && matched >= 0.75 * total;

/** «Which country are we in?»: all that is asked for is a field of what the tool tells. */
const asksForField = (
  profile: ToolProfile,
  { score, matched, total }: Fit,
  kind: Sentence['kind'],
): boolean => profile.kind === 'READ' && kind === 'QUESTION' && score > 0 && matched === total;

const mostUnread = 2;

/** Unknown Chinese words are no meanings: whether a text has more of them, 「差旅規定」, than a small word or two. */
function isAllRead({ text, meanings, countries, quantities }: Reading): boolean {
  const read = [...meanings, ...countries, ...quantities];
  const isRead = (at: number): boolean => read.some(({ start, end }) => start <= at && at < end);
  const unread = salientWords(text)
    .filter(({ text: word }) => isHan(word))
    .flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at))
    .filter((at) => !isRead(at));
  return unread.length <= mostUnread;
}

/** Amounts that the tool has a list for count as one more meaning; «the price of 500 litres» asks for something else. */
const fitsByAmounts = ({ matched, total }: Fit): boolean => matched + 1 >= 0.7 * (total + 1);

/** Whether a sentence may call a tool at all: what changes something needs a statement or an order to. */
function mayCall(profile: ToolProfile, sentence: Sentence): boolean {
  const { meanings } = sentence.reading;
  if (makesFiles(profile)) return asksForFile(sentence.reading);
  if (profile.kind === 'WRITE') return isOrdered(profile, sentence) || isStated(profile, sentence);
  const advises = meanings.some((meaning) => isAdvice(meaning) && profile.inName(meaning));
  const asksForIt = meanings.some(({ key }) => key === 'show' || key === 'search');
  if (seeksAdvice(sentence) && !advises && !(asksForIt && isMeans(profile, sentence))) return false;
  return profile.kind !== 'READ' || sentence.kind !== 'STATEMENT' || asksForIt || isWanted(profile, sentence);
}

/** «Trouve des financements pour la réduire»: what is looked for is a means, and stands before what it is for. */
function isMeans(profile: ToolProfile, { subjects }: Sentence): boolean {
  const at = subjects.findIndex(isAdvice);
  return subjects
    .slice(0, Math.max(0, at))
    .some((meaning) => weightOf(meaning) === 1 && profile.inName(meaning));
}

/** «Subvention pour notre atelier»: what is wanted is what a tool is called by. */
function isWanted(profile: ToolProfile, sentence: Sentence): boolean {
  const wanted = wantedIn(sentence);
  return wanted !== null && weightOf(wanted) === 1 && profile.inName(wanted);
}

/** «Mets à jour notre effectif», «remember that …» */
const isOrdered = (profile: ToolProfile, sentence: Sentence): boolean =>
  sentence.reading.meanings.some((meaning) => isOrder(meaning) && profile.inName(meaning)) &&
  (!profile.keepsCompany || saidOfCompany([sentence], true) !== '');

/** Whether a sentence says in passing what a tool writes down. */
const isStated = (profile: ToolProfile, sentence: Sentence): boolean =>
  !profile.onlyOnOrder &&
  sentence.kind === 'STATEMENT' &&
  saysSomething(profile, sentence) &&
  (!profile.keepsCompany || saidOfCompany([sentence], false) !== '');

const isOrder = ({ key }: Meaning): boolean => ['update', 'remember', 'forget', 'email'].includes(key);
const isAdvice = ({ key }: Meaning): boolean => key === 'reduce' || key === 'advice';

/** Where something was used says nothing of the company: «our shop in Nairobi used 500 kWh». */
function saysSomething(profile: ToolProfile, { reading, measures }: Sentence): boolean {
  const { parameters } = profile.tool;
  const found = Object.keys(extractArguments(parameters, reading).arguments);
  if (!measures) return found.length > 0;
  const places = propertiesOf(parameters).filter(
    (property) => isCountry(property) || property.nameMeanings[0]?.key === 'city',
  );
  return found.some((name) => !places.some((place) => place.name === name));
}

/** A form is not filled in because something was said in passing that stands in it: its own matter has to be spoken of. */
const isSpokenOf = (profile: ToolProfile, { subjects }: Sentence): boolean =>
  !propertiesOf(profile.tool.parameters).some(isAnswerSheet) ||
  subjects.some((meaning) => weightOf(meaning) === 1 && profile.relevance(meaning) >= 0.6);

/** «Trouve un restaurant» is nothing to a tool that finds finance: what is looked for has to be its matter. */
const isItsMatter = (profile: ToolProfile, said: readonly Meaning[]): boolean =>
  profile.kind !== 'READ' ||
  !profile.hasMatter ||
  !said.some(({ key }) => key === 'search') ||
  said.some((meaning) => isMatter(meaning) && profile.relevance(meaning) >= 0.6);

interface Candidate {
  profile: ToolProfile;
  score: number;
  /** The amounts of the sentence alone call for it. */
  byAmounts: boolean;
}

function candidateOf(profile: ToolProfile, said: readonly Meaning[], sentence: Sentence): Candidate | null {
  const { reading, kind } = sentence;
  if (!isSpokenOf(profile, sentence) || !isItsMatter(profile, said)) return null;
  const fit = match(profile, said);
  const isAsked = isWanted(profile, sentence);
  const score = fit.score + (profile.kind === 'WRITE' ? 10 : 0) + (isAsked ? 2 : 0);
  const { complete, lists } = extractArguments(profile.tool.parameters, reading);
  const byAmounts = complete && lists && fitsByAmounts(fit);
  const stated = profile.kind === 'WRITE' && kind === 'STATEMENT';
  const fits = fitsBarely(fit) || asksForField(profile, fit, kind);
  const isMeant = profile.kind !== 'READ' || isAllRead(reading);
  // 「客戶資料保存多久？」 has one word of a profile's, and is about nothing that is in it.
  const isByChance = !isMeant && fit.matched === 1 && propertiesOf(profile.tool.parameters).length === 0;
  const isCandidate =
    stated || byAmounts || isAsked || (fitsWell(fit) && !isByChance) || (complete && fits && isMeant);
  return isCandidate ? { profile, score, byAmounts } : null;
}

function candidates(profiles: readonly ToolProfile[], each: Sentence, said: readonly Meaning[]): Candidate[] {
  return profiles
    .filter((profile) => mayCall(profile, each))
    .flatMap((profile) => candidateOf(profile, said, each) ?? [])
    .toSorted((a, b) => b.score - a.score);
}

/** The tools one sentence asks for: the best, then any that what is left of the sentence names outright. */
function chosenBy(
  each: Sentence,
  profiles: readonly ToolProfile[],
  called: readonly ToolProfile[],
): ToolProfile[] {
  if (asksForMeaning(each) || smallTalkIn(each.reading) === 'progress') return [];
  const chosen: ToolProfile[] = [];
  const answered = [...called];
  let said = each.subjects;
  for (const profile of called) said = said.filter((meaning) => profile.relevance(meaning) === 0);
  for (;;) {
    const open = profiles.filter((profile) => !chosen.includes(profile) && !called.includes(profile));
    const [best] = candidates(open, each, said);
    const namedOutright = said.some((meaning) => weightOf(meaning) === 1 && best?.profile.inName(meaning));
    if (!best || (answered.length > 0 && !namedOutright && !best.byAmounts)) return chosen;
    chosen.push(best.profile);
    answered.push(best.profile);
    said = said.filter((meaning) => best.profile.relevance(meaning) === 0);
  }
}

/** What a tool is filled from: one that writes, only from what is stated now, not from what was asked or supposed. */
function readingFor(profile: ToolProfile, question: Question): Reading {
  if (profile.kind !== 'WRITE') return question.reading;
  const stated = question.now.sentences.filter(
    (each) => each.kind !== 'QUESTION' && (!each.measures || saysSomething(profile, each)),
  );
  const isOrder = stated.some((sentence) => isOrdered(profile, sentence));
  return read(
    profile.keepsCompany
      ? saidOfCompany(stated, isOrder)
      : stated.map(({ reading }) => reading.text).join('\n'),
  );
}

/** A tool's arguments from all that was said; `parts` asked for the tool, or go on from where it was asked for. */
function filled(profile: ToolProfile, question: Question, parts: readonly Reading[]): Extraction {
  const { parameters } = profile.tool;
  const whole = extractArguments(parameters, readingFor(profile, question));
  return profile.kind === 'WRITE' ? whole : narrowed(whole, parameters, parts);
}

/** The tools that a question calls for, in order; what writes comes before what works with it. */
export function chooseTools(
  question: Question,
  profiles: readonly ToolProfile[],
  called: readonly ToolProfile[],
): Choice[] {
  // What was said before is no new statement to write down.
  const harmless = profiles.filter(({ kind }) => kind !== 'WRITE');
  const before = question.before?.sentences ?? [];
  const wanted = [
    ...before.map((each) => ({ each, chosen: chosenBy(each, harmless, called) })),
    ...question.now.sentences.map((each) => ({ each, chosen: chosenBy(each, profiles, called) })),
  ];
  // What is said now counts before what was said when a tool was first asked for.
  const now = question.before === null ? [] : [question.now.reading];
  return [...new Set(wanted.flatMap(({ chosen }) => chosen))]
    .map((profile) => ({
      profile,
      extraction: filled(profile, question, [
        ...wanted.filter(({ chosen }) => chosen.includes(profile)).map(({ each }) => each.reading),
        ...now,
      ]),
    }))
    .toSorted((a, b) => Number(b.profile.kind === 'WRITE') - Number(a.profile.kind === 'WRITE'));
}

/** Whether all that a question calls for can be called. */
export const isComplete = (choices: readonly Choice[]): boolean =>
  choices.length > 0 && choices.every(({ extraction }) => extraction.complete);

/** What a question gives for one tool, fitting or not. */
export const extractionFor = (profile: ToolProfile, question: Question): Extraction =>
  extractArguments(profile.tool.parameters, question.reading);

/** The tool that fits best, fitting or not: for a request that leaves no choice but to call one. */
export function bestTool(question: Question, profiles: readonly ToolProfile[]): Choice | null {
  const [best] = byFit(question.reading, profiles);
  return best ? { profile: best, extraction: extractionFor(best, question) } : null;
}

/** The tools, the one closest to the question first. */
export const byFit = (reading: Reading, profiles: readonly ToolProfile[]): ToolProfile[] =>
  profiles.toSorted((a, b) => match(b, reading.meanings).score - match(a, reading.meanings).score);
