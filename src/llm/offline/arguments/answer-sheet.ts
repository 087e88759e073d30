import type { JsonObject, JsonValue } from '../../../common/json.js';
import { fold, sameWord, tidy } from '../reading/words/fold.js';
import {
  type AnswerKind,
  isMeantAsAnswer,
  type KeyedStatement,
  setsAside,
  statementsIn,
  valueOf,
} from './keyed-answers.js';
import { vagueConcepts } from '../reading/words/lexicon.js';
import { Subject } from '../reading/words/likeness.js';
import { findQuantities } from '../reading/numbers/quantities.js';
import type { Quantity } from '../reading/numbers/quantity.js';
import { childrenOf, elementOf, enumOf, ownDescription, type Property } from './values/property.js';

/** As many questions as this with short answers are a form to fill in, which nobody answers in passing. */
const leastQuestions = 8;
const answerTypes: ReadonlySet<string> = new Set(['boolean', 'integer', 'number']);

/** Whether a property is a form: many questions, each answered by yes or no or a number. */
export const isAnswerSheet = (property: Property): boolean => {
  const children = property.type === 'object' ? childrenOf(property) : [];
  return children.length >= leastQuestions && children.every(({ type }) => answerTypes.has(type));
};

/** What the titles of forms begin with, whatever they ask about; and whom they are asked of. */
const vagueWords =
  /^(?:polit|regle|regla|rule|polic|suivi|seguim|track|registr|register|plan|objecti|objetiv|target|critere|criteri|gestion|manage|part|niveau|level|employe)/;
const weightOf = (unit: string): number => (vagueConcepts.has(unit) || vagueWords.test(unit) ? 0.3 : 1);

interface Entry {
  property: Property;
  kind: AnswerKind;
  /** What it is called, in each language that its description calls it in. */
  titles: readonly Subject[];
  /** Zero means that nothing is in place; else the description says what zero is. */
  isNothingAtZero: boolean;
}

/** «Women in the workforce (Femmes dans l’effectif), %»; «Title (Titre): 1 …, 2 …» */
const form = /^(?<title>[^(:]{2,120}?)(?: \((?<other>[^()]{2,120})\))?(?<rest>[,:：].*)?$/su;

function entryOf(property: Property): Entry {
  const description = ownDescription(property);
  const { title = description, other = '', rest = '' } = form.exec(description)?.groups ?? {};
  return {
    property,
    kind: kindOf(property, rest),
    titles: [title, other].filter((text) => text !== '').map((text) => new Subject(text)),
    isNothingAtZero: !/^[:：]\s*0\b/.test(rest),
  };
}

function kindOf({ type }: Property, rest: string): AnswerKind {
  if (type === 'boolean') return 'yes-no';
  if (/^,\s*%/.test(rest)) return 'percent';
  if (/^,\s*(?:h|hours|heures|horas)\b/.test(rest)) return 'hours';
  return rest.startsWith(',') ? 'count' : 'level';
}

const known = new WeakMap<Property, readonly Entry[]>();

function entriesOf(sheet: Property): readonly Entry[] {
  const entries = known.get(sheet) ?? childrenOf(sheet).map(entryOf);
  known.set(sheet, entries);
  return entries;
}

const unitsOf = ({ keys, words, pairs }: Subject): string[] => [...keys, ...words, ...pairs];

const says = ({ keys, words, pairs }: Subject, unit: string): boolean =>
  keys.has(unit) || pairs.includes(unit) || words.some((word) => sameWord(word, unit));

/** How much of a title is said: 0 to 1. What is common to all titles counts little. */
function likenessOf({ titles }: Entry, said: Subject): number {
  const shares = titles.map((title) => {
    const units = unitsOf(title);
    const all = units.reduce((sum, unit) => sum + weightOf(unit), 0);
    const told = units.filter((unit) => says(said, unit)).reduce((sum, unit) => sum + weightOf(unit), 0);
    return all === 0 ? 0 : told / all;
  });
  return Math.max(0, ...shares);
}

const leastLikeness = 0.5;
const leastLead = 0.15;

/** The question that a clause answers, when it is plainly that one. */
function plainly(entries: readonly Entry[], clause: string): Entry | null {
  const said = new Subject(clause);
  const ranked = entries
    .map((entry) => ({ entry, likeness: likenessOf(entry, said) }))
    .toSorted((a, b) => b.likeness - a.likeness);
  const [best, second] = ranked;
  const isPlain =
    best && best.likeness >= leastLikeness && best.likeness - (second?.likeness ?? 0) >= leastLead;
  return isPlain ? best.entry : null;
}

const negation =
  /\b(?:pas (?:de|d'|encore)|n'avons (?:pas|aucun\w*)|aucun\w*|sans|not|no|none|without|never|jamais|ningun\w*|sin|nunca|nous n'\w+ pas)\b|沒有|未|無/;
/** «Nous ne trions pas nos déchets» */
const denial =
  /\b(?:nous|on) n(?:e |')[\p{L}]+ (?:pas|aucun\w*)\b|\bwe (?:do not|don't)\b|\bno [\p{L}]+mos\b/u;
const affirmation =
  /\b(?:nous (?:avons|sommes|payons|versons)|on a|oui|tous nos|toutes nos|all our|todos nuestros|todas nuestras|we (?:have|are|pay)|yes|tenemos|pagamos|si)\b|我們有|是/;

/** «We had no accidents» denies what happened, not what is in place. */
const happened =
  /\beu (?:aucun\w*|d[e'])|\bpas eu\b|\bhad (?:no|not|never)\b|\bno (?:hubo|hemos tenido|tuvimos)\b|沒有發生|未發生/;
/** «No accidents» is not «no register of accidents»: what is kept of something has to be named to be denied. */
const records = /\b(?:registre|register|registro|suiv|track|record|seguim)\w*/;

function deniesPractice(folded: string, titles: readonly Subject[]): boolean {
  const isRecord = titles.some(({ words, keys }) => [...words, ...keys].some((unit) => records.test(unit)));
  return !happened.test(folded) && (!isRecord || records.test(folded));
}

const before = /(?<![\p{L}])(?:pas|not|don't|no|never|jamais|nunca)(?![\p{L}])|[不沒未]/u;
/** «Nous n'avons pas 40 % de femmes» says what it is not. */
const isDeniedNumber = (folded: string, { start }: Quantity): boolean => before.test(folded.slice(0, start));

/** What a clause answers to a question; undefined: not plain. */
function answerIn(clause: string, { kind, isNothingAtZero, titles }: Entry): JsonValue | undefined {
  const folded = fold(clause);
  const quantities = findQuantities(clause, folded);
  const isDenied = negation.test(folded);
  if (kind === 'yes-no') return isDenied ? false : affirmation.test(folded) ? true : undefined;
  if (kind === 'level')
    return isDenied && isNothingAtZero && quantities.length === 0 && deniesPractice(folded, titles)
      ? 0
      : undefined;
  const [only, ...others] = quantities.filter((quantity) => measures(quantity, kind));
  if (only && others.length === 0) return isDeniedNumber(folded, only) ? undefined : only.value;
  return kind === 'count' && isDenied && quantities.length === 0 ? 0 : undefined;
}

function measures({ unit }: Quantity, kind: AnswerKind): boolean {
  if (kind === 'percent') return unit?.key === 'percent';
  return kind === 'hours' ? unit?.key === 'hour' : unit === null;
}

/** A comma inside a number ends no clause, a comma before a word does. */
const clausesOf = (text: string): string[] =>
  tidy(text)
    .split(/[;!\n。；，！]+|[,.](?=\s|$)|[:：](?=\s|$)|\s(?:et|and|mais|but|pero)\s/u)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '' && !/[?？]$/u.test(clause));

const isAllowed = ({ schema, type }: Property, value: JsonValue): boolean => {
  if (type === 'boolean') return typeof value === 'boolean';
  if (typeof value !== 'number' || (type === 'integer' && !Number.isInteger(value))) return false;
  const { minimum, maximum } = schema;
  return (
    (typeof minimum !== 'number' || value >= minimum) && (typeof maximum !== 'number' || value <= maximum)
  );
};

/** «Mais 25 %», «pardon, 25 %»: what is left of a clause that only puts a number right. */
const bare =
  /^(?:(?:non|pardon|en fait|plutot|seulement|no|sorry|only|rather|actually|perdon|solo|mejor)\s+){0,3}$/u;
const puttingRight =
  /^(?:(?:non|no)\s+)?(?:pardon|plutot|en fait|sorry|rather|actually|perdon|mejor)(?![\p{L}])/u;

/** The number that stands alone in a clause and answers a question that was spoken of before it. */
function bareAnswer(clause: string, { kind }: Entry): number | undefined {
  const folded = fold(clause);
  const [only, ...others] = findQuantities(clause, folded);
  if (!only || others.length > 0 || only.range || !measures(only, kind)) return undefined;
  return bare.test(folded.slice(0, only.start)) && folded.length - only.end <= 12 ? only.value : undefined;
}

/** What was last spoken of, and whether its number was denied: «not 40 %, but 25 %». */
interface Spoken {
  entry: Entry;
  isDenied: boolean;
}

/** The answers that the clauses of a text give, by the names of the questions. */
function answersOfClauses(entries: readonly Entry[], text: string): [Entry, JsonValue | undefined][] {
  let spoken: Spoken | null = null;
  const answers: [Entry, JsonValue | undefined][] = [];
  for (const clause of clausesOf(text)) {
    const folded = fold(clause);
    const shares = findQuantities(clause, folded).filter(({ unit }) => unit?.key === 'percent');
    // A share is asked for by some questions only.
    const open = entries.filter(({ kind }) => shares.length === 0 || kind === 'percent');
    const entry = plainly(open, clause);
    if (entry) {
      answers.push([entry, answerIn(clause, entry)]);
      spoken = { entry, isDenied: shares.some((share) => isDeniedNumber(folded, share)) };
    } else if (spoken && (spoken.isDenied || puttingRight.test(folded))) {
      answers.push([spoken.entry, bareAnswer(clause, spoken.entry)]);
    }
  }
  return answers;
}

const keysOf = (entries: readonly Entry[]): string[] => entries.map(({ property }) => property.name);

/** The answers that a text gives to the questions of a form, where they are plain; the last one said counts. */
export function answersIn(sheet: Property, text: string): JsonObject {
  const entries = entriesOf(sheet);
  const found = new Map<string, JsonValue>();
  const keep = ({ property }: Entry, value: JsonValue | undefined): void => {
    if (value !== undefined && isAllowed(property, value)) found.set(property.name, value);
  };
  for (const [entry, value] of answersOfClauses(entries, text)) keep(entry, value);
  const byKey = new Map(entries.map((entry) => [entry.property.name, entry]));
  for (const statement of statementsIn(tidy(text), keysOf(entries))) {
    const entry = byKey.get(statement.key);
    if (setsAside(statement)) found.delete(statement.key);
    else if (entry) keep(entry, valueOf(statement, entry.kind));
  }
  return Object.fromEntries(found);
}

/** Whether a text answers questions of a form by their keys, well or not. */
export const answersByKey = (sheet: Property, text: string): boolean => {
  const keys = keysOf(entriesOf(sheet));
  return statementsIn(tidy(text), keys).some((each) => keys.includes(each.key) && isMeantAsAnswer(each));
};

const leastSaid = 0.3;

/** A clause that speaks of a question and that no answer was read from. */
export interface UnreadClause {
  clause: string;
  key: string;
}

/** What a text says of the questions of a form without answering one plainly: each clause, with the question it is closest to. */
export function unreadIn(sheet: Property, text: string): UnreadClause[] {
  const answered = answersIn(sheet, text);
  return clausesOf(text).flatMap((clause) => {
    const folded = fold(clause);
    const isDenied = findQuantities(clause, folded).some((quantity) => isDeniedNumber(folded, quantity));
    const isSaid = isDenied || affirmation.test(folded) || negation.test(folded) || denial.test(folded);
    if (!isSaid || Object.keys(answersIn(sheet, clause)).length > 0) return [];
    const said = new Subject(clause);
    const [best] = entriesOf(sheet)
      .map((entry) => ({ key: entry.property.name, likeness: likenessOf(entry, said) }))
      .toSorted((one, other) => other.likeness - one.likeness);
    if (!best || best.likeness < leastSaid) return [];
    // «Not 40 % but 25 %» is answered by what follows.
    return isDenied && Object.hasOwn(answered, best.key) ? [] : [{ clause, key: best.key }];
  });
}

/** An answer under the key of a question that the question does not take. */
export interface RefusedAnswer {
  key: string;
  /** As it was written. */
  given: string;
  /** Null: there is no such question. */
  expected: { kind: 'yes-no' | 'whole' | 'number'; least: number; most: number | null } | null;
}

function expectedOf({ schema, type }: Property): RefusedAnswer['expected'] {
  if (type === 'boolean') return { kind: 'yes-no', least: 0, most: null };
  const { minimum, maximum } = schema;
  return {
    kind: type === 'integer' ? 'whole' : 'number',
    least: typeof minimum === 'number' ? minimum : 0,
    most: typeof maximum === 'number' ? maximum : null,
  };
}

/** The questions of a form that may be said not to apply, which a list beside it takes. */
const maybeSetAside = (all: readonly Property[]): ReadonlySet<string> =>
  new Set(
    all.flatMap((property) => {
      const values = property.type === 'array' ? enumOf(elementOf(property)) : [];
      return listsQuestionsOf(property, values, all) ? values : [];
    }),
  );

/**
 * The answers of a text that are given by their keys and cannot be taken, each with what would be. `all`: the properties
 * that the form stands among.
 */
export function refusedIn(sheet: Property, text: string, all: readonly Property[]): RefusedAnswer[] {
  const entries = new Map(entriesOf(sheet).map((entry) => [entry.property.name, entry]));
  const free = maybeSetAside(all);
  const isTaken = (statement: KeyedStatement, { property, kind }: Entry): boolean => {
    if (setsAside(statement)) return free.has(property.name);
    const value = valueOf(statement, kind);
    return value !== undefined && isAllowed(property, value);
  };
  return statementsIn(tidy(text), [...entries.keys()]).flatMap((statement): RefusedAnswer[] => {
    const { key, given } = statement;
    const entry = entries.get(key);
    if (given === '' || !isMeantAsAnswer(statement) || (entry && isTaken(statement, entry))) return [];
    return [{ key, given, expected: entry ? expectedOf(entry.property) : null }];
  });
}

/** Whether a property lists questions of a form, such as those that do not apply. */
export function listsQuestionsOf(
  property: Property,
  values: readonly string[],
  all: readonly Property[],
): boolean {
  const sheet = property.type === 'array' ? all.find(isAnswerSheet) : undefined;
  if (!sheet || values.length === 0) return false;
  const names = new Set(childrenOf(sheet).map(({ name }) => name));
  return values.every((value) => names.has(value));
}

/** «E09 : sans objet», where nothing else is said of it later. */
export function setAsideIn(values: readonly string[], text: string): string[] {
  const last = new Map(statementsIn(tidy(text), values).map((statement) => [statement.key, statement]));
  return values.filter((value) => {
    const statement = last.get(value);
    return statement !== undefined && setsAside(statement);
  });
}
