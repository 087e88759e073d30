import type { MarkedMessage, Span } from './marked-message.js';
import { numberIn } from './numbers.js';
import type { Slots } from './tool-slots.js';
import type { Phrases } from './tokens.js';
import { joiners } from './vocabulary.js';

interface Quantity {
  value: number;
  unit: string;
  /** What is measured. Null: only an amount. */
  kind: string | null;
  /** In the order of the message. */
  spans: Span[];
}

/**
 * All quantities of a message, or none if any is unclear. Each needs its unit beside it, and the measured thing
 * beside that. A repeated one may be a correction, and one without a conjunction may replace another.
 */
export function measuresIn(
  message: MarkedMessage,
  { measure, country }: Slots,
): { property: string; value: unknown; spans: Span[] } | null {
  if (!measure) return null;
  const quantities = quantitiesIn(message, measure.unit.names);
  const between = country?.names ?? null;
  const items = measure.kind ? itemsOf(message, quantities, measure.kind.names, between) : quantities;
  if (items === null || items.length === 0 || (!measure.isList && items.length > 1)) return null;
  const kinds = new Set(items.map(({ kind, unit }) => JSON.stringify([kind, unit])));
  if (kinds.size !== items.length || !areJoined(message, items)) return null;
  const objects = items.map(({ value, unit, kind }) => ({
    ...(measure.kind && { [measure.kind.key]: kind }),
    [measure.number]: value,
    [measure.unit.key]: unit,
  }));
  return {
    property: measure.property,
    value: measure.isList ? objects : objects[0],
    spans: items.flatMap(({ spans }) => spans),
  };
}

/** Numbers followed by a unit, or preceded by a currency sign. */
function quantitiesIn({ tokens, said }: MarkedMessage, units: Phrases<string>): Quantity[] {
  return tokens.flatMap(({ kind, text, start }, at): Quantity[] => {
    const last = tokens[at - 1];
    // Numbers within `R-410A` or `-3` are not quantities.
    const isPart =
      last?.end === start && last.kind !== 'stop' && !/^[\p{Sc}\p{Script=Han}]$/u.test(last.text);
    const value = kind === 'number' && !isPart ? numberIn(text, said.language) : null;
    if (value === null) return [];
    const behind = units.at(tokens, at + 1);
    const before = behind || at === 0 ? null : units.at(tokens.slice(0, at), at - 1);
    const [unit, ...others] = (behind ?? before)?.values ?? [];
    if (unit === undefined || others.length > 0) return [];
    const span = behind ? { start: at, end: at + 1 + behind.length } : { start: at - 1, end: at + 1 };
    return [{ value, unit, kind: null, spans: [span] }];
  });
}

/** Pairs quantities with what they measure, which must alternate. Null: they do not. */
function itemsOf(
  message: MarkedMessage,
  quantities: readonly Quantity[],
  kinds: Phrases<string>,
  countries: Phrases<string> | null,
): Quantity[] | null {
  const own = quantities.flatMap(({ spans }) => spans);
  const isFree = ({ start }: Span): boolean => !own.some((span) => start >= span.start && start < span.end);
  const found = message.spansOf(kinds).filter(isFree);
  if (found.length !== quantities.length) return null;
  const isKindFirst = (found[0]?.start ?? 0) < (own[0]?.start ?? 0);
  const items = quantities.flatMap((quantity, index): Quantity[] => {
    const [span, kind] = [own[index], found[index]];
    const [value, ...others] = kind?.values ?? [];
    if (!span || !kind || value === undefined || others.length > 0) return [];
    const spans = isKindFirst ? [kind, span] : [span, kind];
    return areBeside(message, spans, countries) ? [{ ...quantity, kind: value, spans }] : [];
  });
  return items.length === quantities.length ? items : null;
}

/** Whether only insignificant tokens are between two places. A country and a colon are allowed. */
function areBeside(
  message: MarkedMessage,
  [first, second]: readonly Span[],
  countries: Phrases<string> | null,
): boolean {
  if (!first || !second || first.end > second.start) return false;
  for (let at = first.end; at < second.start;) {
    const glue = joiners.lengthAt(message.tokens, at) > 0 ? 0 : message.glueAt(at);
    const length = countries?.at(message.tokens, at)?.length ?? glue;
    if (length === 0 && !/^[:：()（）[\]«»“”"'’]$/.test(message.tokens[at]?.text ?? '')) return false;
    at += Math.max(1, length);
  }
  return true;
}

const JOINS = /^[,;、，；*•–—-]$/;

/** Whether the quantities are in one sentence and joined by commas and "and", and there is no other "and". */
function areJoined({ tokens }: MarkedMessage, items: readonly Quantity[]): boolean {
  const gaps = items.slice(1).map(({ spans }, index) => ({
    start: items[index]?.spans.at(-1)?.end ?? 0,
    end: spans[0]?.start ?? 0,
  }));
  const isIn = (at: number, { start, end }: Span): boolean => at >= start && at < end;
  const ands = [...tokens.keys()].filter((at) => joiners.lengthAt(tokens, at) > 0);
  const joins = [...tokens.keys()].filter((at) => ands.includes(at) || JOINS.test(tokens[at]?.text ?? ''));
  const isEnd = (at: number): boolean => /^[.?!。？！]$/.test(tokens[at]?.text ?? '');
  return (
    gaps.every((gap) => joins.some((at) => isIn(at, gap))) &&
    ands.every((at) => gaps.some((gap) => isIn(at, gap))) &&
    ![...tokens.keys()].some((at) => isEnd(at) && gaps.some((gap) => isIn(at, gap)))
  );
}
