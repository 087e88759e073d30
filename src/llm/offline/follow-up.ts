import { answersByKey, answersIn, isAnswerSheet } from './arguments/answer-sheet.js';
import { hasKey } from './arguments/keyed-answers.js';
import { countedIn } from './arguments/amounts/set-aside.js';
import { measuresIn } from './arguments/amounts/measures.js';
import { itemShape } from './arguments/items/item-shape.js';
import { enumOf, propertiesOf, type Property } from './arguments/values/property.js';
import { companyPutRight } from './company/put-right.js';
import type { Exchange } from './conversation.js';
import { fold, tidy, wordsOf } from './reading/words/fold.js';
import { weightOf } from './reading/words/meaning.js';
import { read, type Reading, subjectsOf } from './reading/read.js';
import { Message, Question } from './message.js';
import { type Choice, isComplete } from './tool-choice.js';
import { asksForFile } from './reports/report-request.js';
import { makesFiles } from './tool-profile.js';

const longestFollowUp = 15;
/** What is longer was no question in a conversation, but a text handed over. */
const longestRemembered = 4000;

const opening =
  /^\W*(?:et|e|y(?! a(?:\b|-))|and|puis|ainsi|plus|alors|maintenant|plutot|sinon|now|rather|ahora|what about|how about|same|pareil|meme|idem|igual|en|au|aux|in|avec|with|con|ajoute[rz]?|add|anade)\b|^\W*a[lu]? |^(?:那|再|還有|如果|改|換)|呢[？?]?$/;

const isAddition = (folded: string): boolean =>
  wordsOf(folded).length <= longestFollowUp && folded.length <= 150 && opening.test(folded);

/** Whether a message is opened like an addition to what was said before it. */
export const continues = (text: string): boolean => isAddition(fold(tidy(text)));

/** Goes on from what was asked before: short, opened like an addition, and with a value to add. */
const goesOn = ({ folded, countries, quantities }: Reading): boolean =>
  isAddition(folded) && countries.length + quantities.length > 0;

/**
 * Whether a message may answer what the assistant asked back, and so complete what was asked before: it states a
 * value or names a thing. «Thanks» and «who are you?» answer nothing; amounts given anew stand for the former ones.
 */
function answers(now: Reading, before: string): boolean {
  const { folded, meanings, countries, dates, quantities } = now;
  if (/[?？]\s*$/u.test(folded)) return false;
  if (measuresIn(now).length > 0 && countedIn(read(before)).length > 0) return false;
  const values = countries.length + dates.length + quantities.length;
  return values > 0 || meanings.some((meaning) => meaning.known && weightOf(meaning) === 1);
}

/** Values alone, without a word on what they are for. */
export const isBare = (now: Reading): boolean =>
  now.countries.length + now.quantities.length > 0 &&
  !subjectsOf(now).some((meaning) => weightOf(meaning) === 1);

/** «And in Mali?»: the same again, in another country. */
function inCountryOf(now: Reading, before: string): string {
  const [country] = now.countries;
  const earlier = read(before);
  const named = new Set(earlier.countries.map(({ code }) => code));
  if (!country || measuresIn(now).length > 0 || named.size !== 1) return before;
  const name = now.text.slice(country.start, country.end);
  return earlier.countries.reduceRight(
    (text, { start, end }) => `${text.slice(0, start)}${name}${text.slice(end)}`,
    earlier.text,
  );
}

const takenBack = /\b(?:pas|et non|not|no|au lieu d[eu]|instead of|en vez de|en lugar de)\s$/;

/** «8 000 litres, pas 12 000»: what was asked before, with the amount that is put right; null: nothing is. */
function putRight(now: Reading, before: string): string | null {
  const [amount, ...others] = measuresIn(now);
  const wrong = now.quantities.find(({ start }) =>
    takenBack.test(now.folded.slice(Math.max(0, start - 16), start)),
  );
  if (!amount || !wrong || others.some((other) => other !== wrong) || amount === wrong) return null;
  const earlier = read(before);
  const found = measuresIn(earlier).filter(({ value }) => value === wrong.value);
  const [old] = found;
  if (!old || found.length > 1 || old.unit?.key !== amount.unit?.key) return null;
  const { text } = earlier;
  return text.slice(0, old.start) + now.text.slice(amount.start, amount.end) + text.slice(old.end);
}

const formsOf = ({ profile }: Choice): Property[] =>
  propertiesOf(profile.tool.parameters).filter(isAnswerSheet);

const takesAnswers = (choice: Choice): boolean => formsOf(choice).length > 0;

/** Whether a text answers questions of a form that was being filled in. */
const fillsForm = (choices: readonly Choice[], text: string): boolean =>
  choices.flatMap(formsOf).some((form) => Object.keys(answersIn(form, text)).length > 0);

/** «E02 passe à 60 %» needs no question: whoever calls a question by its key means the form that was filled in. */
const callsByKey = (choices: readonly Choice[], text: string): boolean =>
  choices.flatMap(formsOf).some((form) => answersByKey(form, text));

const takesAmounts = ({ profile }: Choice): boolean =>
  propertiesOf(profile.tool.parameters).some((each) => each.type === 'array' && itemShape(each) !== null);

/** «And for 5,000 litres of petrol?» after a search: what was asked before takes no such amounts. */
function takesNone(choose: (question: Question) => readonly Choice[], now: Reading, before: string): boolean {
  const earlier = measuresIn(now).length > 0 ? choose(new Question(new Message(before))) : [];
  return earlier.length > 0 && !earlier.some(takesAmounts);
}

/** Whether a search is told to choose among what it knows by name: «une subvention». */
const choosesAmong = ({ profile, extraction }: Choice): boolean =>
  profile.kind === 'READ' &&
  propertiesOf(profile.tool.parameters).some(
    (each) => enumOf(each).length > 0 && Object.hasOwn(extraction.arguments, each.name),
  );

/** «Et plutôt une subvention ?» after a search: the same one again, with what is said of it now. */
function searchesOn(
  choose: (question: Question) => readonly Choice[],
  now: Message,
  before: string,
): boolean {
  if (!isAddition(now.reading.folded)) return false;
  const [wanted, ...others] = choose(new Question(now));
  if (!wanted || others.length > 0 || !choosesAmong(wanted)) return false;
  const earlier = choose(new Question(new Message(before)));
  return (
    earlier.length === 1 && earlier.every(({ profile }) => profile.tool.name === wanted.profile.tool.name)
  );
}

/** Whether nothing is left to say: what was only looked up, with all that it takes. */
const isClosed = (choices: readonly Choice[]): boolean =>
  isComplete(choices) && choices.every(({ profile }) => profile.kind === 'READ');

/** One message after the question that stood before it. */
function standing(
  before: string,
  text: string,
  askedBack: boolean,
  choose: (question: Question) => readonly Choice[],
): Question {
  const message = new Message(text);
  const alone = new Question(message);
  if (before === '' || text.length > longestRemembered) return alone;
  const now = message.reading;
  const right = putRight(now, before);
  if (right !== null) return new Question(new Message(right));
  if (goesOn(now) && !takesNone(choose, now, before))
    return new Question(message, new Message(inCountryOf(now, before)));
  if (searchesOn(choose, message, before)) return new Question(message, new Message(before));
  // «Refais le rapport» is no answer to what the result before it asked.
  const ordersFile = asksForFile(now) && choose(alone).some(({ profile }) => makesFiles(profile));
  const completes =
    askedBack &&
    !ordersFile &&
    answers(now, before) &&
    (isBare(now) || !isComplete(choose(alone))) &&
    !isClosed(choose(new Question(new Message(before))));
  if (completes) return new Question(message, new Message(before));
  const asked = askedBack || hasKey(text) ? choose(new Question(new Message(before))) : [];
  const fills =
    (askedBack && fillsForm(asked, text)) || (callsByKey(asked, text) && !choose(alone).some(takesAnswers));
  return fills ? new Question(message, new Message(before)) : alone;
}

/** Works something out, or looks it up by what is said. A report is made of what was worked out before, which stands. */
const isWork = ({ profile }: Choice): boolean =>
  !makesFiles(profile) &&
  (profile.kind === 'OTHER' || (profile.kind === 'READ' && propertiesOf(profile.tool.parameters).length > 0));

/**
 * The question as it stands after all that was said: «and with 200 litres more?» goes on from the one before,
 * as does the answer to a question of the assistant's. `choose`: the tools that a question calls for.
 */
export function questionOf(
  earlier: readonly Exchange[],
  message: string,
  choose: (question: Question) => readonly Choice[],
): Question {
  const right = companyPutRight(earlier, message, choose);
  if (right) return new Question(right);
  let stood = '';
  /** What last asked for amounts: an amount more goes on from it, past a search. */
  let counting = '';
  /** What last asked for answers to a form. */
  let filling = '';
  let askedBack = false;
  const before = (text: string): string => {
    const asked = filling === '' || !hasKey(text) ? [] : choose(new Question(new Message(filling)));
    if (callsByKey(asked, text)) return filling;
    return counting !== '' && takesNone(choose, read(text), stood) ? counting : stood;
  };
  for (const { question, answer } of earlier) {
    const isShort = question.length <= longestRemembered;
    const whole = standing(isShort ? before(question) : stood, question, askedBack, choose);
    const works = isShort ? choose(whole).filter(isWork) : [];
    // Thanks and other talk in between change nothing.
    if (works.length > 0) stood = whole.text.slice(-longestRemembered);
    if (works.some(takesAmounts)) counting = stood;
    if (works.some(takesAnswers)) filling = stood;
    askedBack = /[?？]/u.test(answer);
  }
  return standing(message.length <= longestRemembered ? before(message) : stood, message, askedBack, choose);
}
