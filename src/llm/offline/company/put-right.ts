import type { Exchange } from '../conversation.js';
import { Message, Question } from '../message.js';
import type { Quantity } from '../reading/numbers/quantity.js';
import { read, type Reading } from '../reading/read.js';
import type { Choice } from '../tool-choice.js';

const longest = 150;
const longestStatement = 4000;
const mostEarlier = 4;
/** «Non, 54 personnes», «sorry, I meant 54», «不對，54人» */
const opening =
  /^\W*(?:(?:(?:ah |euh )?non|no|pardon|oups|sorry|desolee?|excuse[zs]?-moi|correction|plutot|en fait|je me suis trompee?|je corrige|actually|rather|i mean|i meant|perdon|mejor dicho|me equivoque|en realidad)(?![\p{L}\p{N}])[\s,:.!…-]*){1,3}|^(?:(?:不對|不是|更正|抱歉|說錯了|應該是?)[，,：:。\s]*){1,3}/u;

const isMoney = ({ unit }: Quantity): boolean => unit?.dimension === 'money';
const isYear = ({ value, unit }: Quantity): boolean => unit === null && value >= 1900 && value <= 2100;
const speaksOf = ({ meanings }: Reading, key: string): boolean =>
  meanings.some((meaning) => meaning.key === key);

/** The number that a correction gives; null: it is no correction, or gives none that a company has. */
function correctedIn(message: string): { now: Reading; figure: Quantity } | null {
  if (message.length > longest || /[?？]/u.test(message)) return null;
  const now = read(message);
  const lead = opening.exec(now.folded)?.[0].length ?? 0;
  const [figure, ...others] = now.quantities;
  if (lead === 0 || !figure || others.length > 0 || figure.range || figure.start < lead) return null;
  return figure.unit === null || isMoney(figure) ? { now, figure } : null;
}

/** A statement with another number in it; null where it is not plain which one is meant. */
function withFigure(stated: string, message: string): string | null {
  const corrected = stated === '' ? null : correctedIn(message);
  if (!corrected) return null;
  const { now, figure } = corrected;
  const { text, quantities } = read(stated);
  const [old, ...others] = quantities.filter((each) => {
    if (isMoney(figure) || speaksOf(now, 'revenue')) return isMoney(each);
    const isCount = each.unit === null && !isYear(each);
    return isCount || (isMoney(each) && !speaksOf(now, 'employee'));
  });
  if (!old || others.length > 0) return null;
  const isWhole = figure.unit !== null;
  const value = now.text.slice(figure.start, isWhole ? figure.end : figure.numberEnd);
  return `${text.slice(0, old.start)}${value}${text.slice(isWhole ? old.end : old.numberEnd)}`;
}

/** What was stated of the company just before, with the number that a message puts right; null: it puts none right. */
export function companyPutRight(
  earlier: readonly Exchange[],
  message: string,
  choose: (question: Question) => readonly Choice[],
): Message | null {
  let stated = '';
  for (const { question } of earlier.slice(-mostEarlier))
    stated = question.length > longestStatement ? '' : (withFigure(stated, question) ?? question);
  const right = withFigure(stated, message);
  if (right === null) return null;
  const choices = choose(new Question(new Message(right)));
  const isWritten = choices.some(
    ({ profile, extraction }) => profile.kind === 'WRITE' && extraction.complete,
  );
  return isWritten ? new Message(right) : null;
}
