import type { JsonValue } from '../../../common/json.js';
import { fold } from '../reading/words/fold.js';
import { findQuantities } from '../reading/numbers/quantities.js';
import type { Quantity } from '../reading/numbers/quantity.js';

/** What kind of answer a question of a form takes. */
export type AnswerKind = 'yes-no' | 'level' | 'percent' | 'hours' | 'count';

/** What stands behind the key of a question: «E10 : 60 %», «G02 = oui», «E02 passe à 60 %». */
export interface KeyedStatement {
  key: string;
  /** As it was written. */
  given: string;
  /** With a colon or the like in between; without one it may only be spoken of. */
  isMarked: boolean;
}

const longestGiven = 80;
/** The keys of forms look so. A name of another form is one only where it is known. */
const keyShape = /^[A-Z]\d{2}$/;
const keyLike = /(?<!\w)[a-z]\d{2}(?!\w)/i;
/** Whether a text has anything in it that looks like the key of a question: whose it is takes longer to tell. */
export const hasKey = (text: string): boolean => keyLike.test(text);

const names = /(?<!\w)[a-z]\w{0,39}(?!\w)/giu;
/** A comma inside a number is followed by a digit. */
const givenEnd = /[;\n。；，]|,(?!\d)|\.(?=\s|$)|\s(?:et|and|y|e|mais|but|pero|puis|then)\s/u;
const mark = /^\s*[:=：]\s*/u;
const verb =
  /^\s*(?:c'est|est|is|es|vaut|passe|passera|devient|sera|becomes|goes|pasa|改為|改成|是)(?![\p{L}'])\s*/u;
/** What stands between the mark and the answer: «en fait», «maintenant», «à». */
const filler =
  /^(?:(?:c'est|est|is|es|en fait|plutot|maintenant|desormais|finalement|now|rather|actually|ahora|a|de|to)\s+){1,4}/u;

/** Where a text names keys of a form; one that is not `known` has to be marked as answered. */
function keysIn(
  text: string,
  known: ReadonlyMap<string, string>,
): { key: string; at: number; end: number }[] {
  return Array.from(text.matchAll(names)).flatMap(({ 0: name, index }) => {
    const end = index + name.length;
    const key = known.get(name.toLowerCase());
    if (key !== undefined) return [{ key, at: index, end }];
    return keyShape.test(name) && mark.test(text.slice(end, end + 10)) ? [{ key: name, at: index, end }] : [];
  });
}

function statementOf(key: string, behind: string): KeyedStatement {
  const marked = mark.exec(behind)?.[0] ?? verb.exec(fold(behind))?.[0] ?? '';
  const rest = behind.slice(marked.length);
  const said = rest.slice(0, givenEnd.exec(rest)?.index ?? rest.length).trim();
  const filling = filler.exec(fold(said))?.[0] ?? '';
  return { key, given: said.slice(filling.length), isMarked: marked !== '' };
}

/** What a text says behind the keys of a form, in its order. `text` is tidy. */
export function statementsIn(text: string, keys: readonly string[]): KeyedStatement[] {
  const known = new Map(keys.map((key) => [key.replaceAll(/[^\w]/g, '').toLowerCase(), key]));
  const found = keysIn(text, known);
  return found.map(({ key, end }, index) => {
    const next = found[index + 1]?.at ?? Infinity;
    return statementOf(key, text.slice(end, Math.min(end + longestGiven, next)));
  });
}

const setAside =
  /^(?:sans objet|non applicable|not applicable|n\/a|ne s'applique pas|does not apply|doesn't apply|no (?:se )?aplica|不適用)/u;

/** Whether the question is said not to apply: «sans objet». */
export const setsAside = ({ given }: KeyedStatement): boolean => setAside.test(fold(given));

const yesNo = /^(?:(?<yes>oui|yes|si|是)|non|no|否)(?![a-z])/u;
/** «oui ou non», «non renseigné»: no answer. */
const undecided =
  /^\s*(?:\/|(?:ou|or|o)\s)|^\s(?:renseign|communiqu|connu|dispon|sait|known|sure|sabe|se\b|lo\b)/u;
/** «10-20», «10 à 20», «3/4»: what goes on is not the number that was read. */
const goesOn = /^\s*(?:[-~/x*^]|(?:a|to|ou|or|o|jusqu'a|hasta)\s|至|到)?\s*\d/u;

function yesNoIn(folded: string): boolean | undefined {
  const said = yesNo.exec(folded);
  if (!said || undecided.test(folded.slice(said[0].length))) return undefined;
  return said.groups?.['yes'] !== undefined;
}

function isMeasuredIn(unit: Quantity['unit'], kind: AnswerKind): boolean {
  if (unit === null) return true;
  return (unit.key === 'percent' && kind === 'percent') || (unit.key === 'hour' && kind === 'hours');
}

/** The answer that a statement gives, where it is one and no range; undefined: none. */
export function valueOf({ given }: KeyedStatement, kind: AnswerKind): JsonValue | undefined {
  const folded = fold(given);
  if (setAside.test(folded)) return undefined;
  if (kind === 'yes-no') return yesNoIn(folded);
  const [first] = findQuantities(given, folded);
  const isOne = first?.start === 0 && !first.range && !goesOn.test(folded.slice(first.end));
  return isOne && isMeasuredIn(first.unit, kind) ? first.value : undefined;
}

/** Whether a statement means to answer, well or not, rather than to speak of the question. */
export const isMeantAsAnswer = (statement: KeyedStatement): boolean =>
  statement.isMarked ||
  /^[-+]?\d/.test(statement.given) ||
  setsAside(statement) ||
  yesNoIn(fold(statement.given)) !== undefined;
