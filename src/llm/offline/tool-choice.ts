import { extractArguments, type Extraction } from './arguments/argument-extraction.js';
import { type Meaning, weightOf } from './reading/meaning.js';
import { read, type Reading, sentencesOf } from './reading/read.js';
import { type Fit, match, type ToolProfile } from './tool-profile.js';

/** A tool that fits the question, with the arguments the text gives for it. */
export interface Choice {
  profile: ToolProfile;
  extraction: Extraction;
}

const asking =
  /[?？]\s*$|^\W*(?:qu(?:el|elle|els|elles|i|oi|and|e|'est)\b|ou\b|combien|comment|pourquoi|est-ce|what|which|who|where|when|why|how|do|does|did|is|are|can|could|cual|que\b|quien|donde|cuando|cuant|como\b|por que|puedes|peux|pouvez)|什麼|多少|如何|怎麼|嗎|哪/;
const supposing = /\b(?:si (?:nous|on|j'|je)|if (?:we|i|our)|si (?:consum|us|gast|ten)\w+)\b/;
const firstPerson =
  /\b(?:nous|notre|nos|mon|ma|mes|on a|j'ai|je|we|our|my|i|nuestr[oa]s?|mi|mis|tenemos|somos|estamos|facturamos|empleamos|trabajamos|nos llamamos)\b|我們|我的|本公司/;
const definition =
  /^\W*(?:qu'est-ce qu|c'est quoi|que signifie|que veut dire|explique|definis|what (?:is|are) (?:a |an )?[\w -]+\?|what does .* mean|what's (?:a|an) |define |explain |que es |que son |que significa|explica|什麼是|何謂)/;
const ownAffairs = /\b(?:mon|ma|mes|notre|nos|my|our|mi|mis|nuestr[oa]s?)\b|我們|我的|本公司/;

interface Sentence {
  reading: Reading;
  kind: 'QUESTION' | 'STATEMENT' | 'OTHER';
}

function sentence(text: string): Sentence {
  const reading = read(text);
  const ordering = reading.meanings.some(({ key }) =>
    ['calculate', 'show', 'search', 'summarise', 'translate'].includes(key),
  );
  if (asking.test(reading.folded) || supposing.test(reading.folded)) return { reading, kind: 'QUESTION' };
  return { reading, kind: firstPerson.test(reading.folded) && !ordering ? 'STATEMENT' : 'OTHER' };
}

/** Much of the question is the tool's business. */
const fitsWell = ({ score, coverage }: Fit): boolean => score >= 0.9 && coverage >= 0.34;

/** Nearly all of a question with little in it is: enough for a tool that can then be called as it stands. */
const fitsBarely = ({ score, coverage }: Fit): boolean => score >= 0.39 && coverage >= 0.75;

/** Whether a sentence may call a tool at all: what changes something needs a statement or an order to. */
function mayCall(profile: ToolProfile, { reading, kind }: Sentence): boolean {
  const orders = reading.meanings.some(
    (meaning) => ['update', 'remember', 'forget', 'email'].includes(meaning.key) && profile.inName(meaning),
  );
  if (profile.kind === 'WRITE') return orders || (kind === 'STATEMENT' && saysSomething(profile, reading));
  const asksForIt = reading.meanings.some(({ key }) => key === 'show' || key === 'search');
  return profile.kind !== 'READ' || kind !== 'STATEMENT' || asksForIt;
}

const saysSomething = (profile: ToolProfile, reading: Reading): boolean =>
  Object.keys(extractArguments(profile.tool.parameters, reading).arguments).length > 0;

const general = ({ reading }: Sentence): boolean =>
  definition.test(reading.folded) && reading.quantities.length === 0 && !ownAffairs.test(reading.folded);

interface Candidate {
  profile: ToolProfile;
  score: number;
}

function isCandidate(candidate: Fit & { profile: ToolProfile }, { reading, kind }: Sentence): boolean {
  const { profile } = candidate;
  if (fitsWell(candidate) || (profile.kind === 'WRITE' && kind === 'STATEMENT')) return true;
  return fitsBarely(candidate) && extractArguments(profile.tool.parameters, reading).complete;
}

function candidates(profiles: readonly ToolProfile[], each: Sentence, said: readonly Meaning[]): Candidate[] {
  return profiles
    .filter((profile) => mayCall(profile, each))
    .map((profile) => ({ profile, ...match(profile, said) }))
    .filter((candidate) => isCandidate(candidate, each))
    .map(({ profile, score }) => ({ profile, score: profile.kind === 'WRITE' ? score + 10 : score }))
    .toSorted((a, b) => b.score - a.score);
}

/** The tools one sentence asks for: the best, then any that what is left of the sentence names outright. */
function chosenBy(
  each: Sentence,
  profiles: readonly ToolProfile[],
  called: readonly ToolProfile[],
): ToolProfile[] {
  if (general(each)) return [];
  const chosen: ToolProfile[] = [];
  const answered = [...called];
  let said = each.reading.meanings;
  for (const profile of called) said = said.filter((meaning) => profile.relevance(meaning) === 0);
  for (;;) {
    const open = profiles.filter((profile) => !chosen.includes(profile) && !called.includes(profile));
    const [best] = candidates(open, each, said);
    const namedOutright = said.some((meaning) => weightOf(meaning) === 1 && best?.profile.inName(meaning));
    if (!best || (answered.length > 0 && !namedOutright)) return chosen;
    chosen.push(best.profile);
    answered.push(best.profile);
    said = said.filter((meaning) => best.profile.relevance(meaning) === 0);
  }
}

/** What a tool may be filled from: for one that writes, only what was stated, not what was asked or supposed. */
function textFor(profile: ToolProfile, sentences: readonly Sentence[], whole: string): string {
  if (profile.kind !== 'WRITE') return whole;
  return sentences
    .filter(({ kind }) => kind !== 'QUESTION')
    .map(({ reading }) => reading.text)
    .join('\n');
}

/** The tools that a question calls for, in order; what writes comes before what works with it. */
export function chooseTools(
  question: string,
  profiles: readonly ToolProfile[],
  called: readonly ToolProfile[],
): Choice[] {
  const sentences = sentencesOf(question).map(sentence);
  const chosen = new Set(sentences.flatMap((each) => chosenBy(each, profiles, called)));
  return [...chosen]
    .map((profile) => ({
      profile,
      extraction: extractArguments(profile.tool.parameters, read(textFor(profile, sentences, question))),
    }))
    .toSorted((a, b) => Number(b.profile.kind === 'WRITE') - Number(a.profile.kind === 'WRITE'));
}

/** The tool that fits best, fitting or not: for a request that leaves no choice but to call one. */
export function bestTool(question: string, profiles: readonly ToolProfile[]): Choice | null {
  const reading = read(question);
  const [best] = byFit(reading, profiles);
  return best ? { profile: best, extraction: extractArguments(best.tool.parameters, reading) } : null;
}

/** The tools, the one closest to the question first. */
export const byFit = (reading: Reading, profiles: readonly ToolProfile[]): ToolProfile[] =>
  profiles.toSorted((a, b) => match(b, reading.meanings).score - match(a, reading.meanings).score);
