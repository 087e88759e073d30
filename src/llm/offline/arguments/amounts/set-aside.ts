import { measuresIn } from './measures.js';
import type { Quantity } from '../../reading/numbers/quantity.js';
import type { Reading } from '../../reading/read.js';
import { within } from '../../reading/spans.js';
import { convert } from '../../reading/numbers/units.js';
import { vagueConcepts } from '../../reading/words/lexicon.js';
import {
  ahead,
  behind,
  correction,
  goesOn,
  making,
  preferred,
  solar,
  using,
} from '../../reading/numbers/amount-cues.js';

type Given = Pick<Reading, 'folded' | 'quantities' | 'meanings' | 'countries'>;

const longestAhead = 80;
const longestBehind = 60;
/** A comma inside a number is followed by a digit. */
const clauseEnd = /[,;:!?()](?=\s|$)|\.(?=\s)|[\n，。；：！？、]/gu;
const sentenceEnd = /[.;!?](?=\s|$)|[\n。；！？]/u;

/** A quantity among those of its text, with the texts around it up to its neighbours. */
interface Place {
  quantity: Quantity;
  at: number;
  /** What stands before it in its clause. */
  before: string;
  /** What stands before it, up to the quantity before. */
  gap: string;
  after: string;
}

function lastClause(text: string): string {
  const end = Array.from(text.matchAll(clauseEnd)).at(-1);
  return end ? text.slice(end.index + 1) : text;
}

function placeOf({ folded, quantities }: Given, at: number): Place | null {
  const quantity = quantities[at];
  if (!quantity?.unit || quantity.unit.dimension === 'time') return null;
  const gap = folded.slice(
    Math.max(quantities[at - 1]?.end ?? 0, quantity.start - longestAhead),
    quantity.start,
  );
  const after = folded.slice(
    quantity.end,
    Math.min(quantity.end + longestBehind, quantities[at + 1]?.start ?? Infinity),
  );
  return { quantity, at, gap, before: lastClause(gap), after };
}

const lastIndex = (text: string, pattern: RegExp): number =>
  Array.from(text.matchAll(pattern)).at(-1)?.index ?? -1;

/** Made by oneself: «nous produisons 5 000 kWh solaires». */
const isMade = ({ quantity, before, after }: Place): boolean =>
  quantity.unit?.dimension === 'energy' &&
  (solar.test(after) || lastIndex(before, making) > lastIndex(before, using));

const isParted = ({ before, after }: Place): boolean =>
  ahead.parted.test(before) || behind.parted.test(after);

const comparable = (a: Quantity, b: Quantity): boolean =>
  a.unit !== null && a.unit.dimension === b.unit?.dimension;

/** How much of one quantity another is; null: they measure different things. */
const shareOf = (quantity: Quantity, whole: Quantity): number | null => {
  const value = quantity.unit && whole.unit ? convert(quantity.value, quantity.unit, whole.unit) : null;
  return value === null ? null : value / whole.value;
};

/** How far back an amount may be that is compared, divided or put right. */
const mostBack = 4;

/** Decides which amounts of one text are not to be counted, from the first to the last. */
class Judge {
  readonly setAside = new Set<Quantity>();
  /** The amount whose parts are being told, and how much of it was told; null: none. */
  private parts: { whole: Quantity; told: number } | null = null;
  /** The amount last left out as not belonging to what is counted: what goes on with it is left out as well. */
  private excluded: Quantity | null = null;

  constructor(private readonly given: Given) {}

  look(place: Place): void {
    const { quantity, before, after } = place;
    const corrected = correction.test(place.gap) ? this.correctedBy(place) : null;
    if (corrected) this.setAside.add(corrected.quantity);
    else if (
      this.isExcluded(place) ||
      this.isPart(place) ||
      ahead.denied.test(before) ||
      (ahead.compared.test(before) && this.earlier(place).length > 0) ||
      isParted(place) ||
      isMade(place)
    )
      this.setAside.add(quantity);
    if (behind.excluded.test(after)) this.setAside.add(quantity);
  }

  private isExcluded(place: Place): boolean {
    const last = this.given.quantities[place.at - 1];
    const isSecond = preferred.second.test(place.gap) && this.isPreferred(place.at - 1);
    const goes = last !== undefined && last === this.excluded && goesOn.test(place.gap);
    if (!isSecond && !goes && !ahead.excluded.test(place.before)) return false;
    this.excluded = place.quantity;
    return true;
  }

  private isPreferred(at: number): boolean {
    const first = placeOf(this.given, at);
    return first !== null && preferred.first.test(first.before);
  }

  private isPart(place: Place): boolean {
    const { quantity } = place;
    if (ahead.part.test(place.before)) {
      const whole = this.earlier(place).find((one) => (shareOf(quantity, one.quantity) ?? 2) <= 1)?.quantity;
      this.parts = whole && this.isOneSentence(whole, quantity) ? { whole, told: 0 } : null;
    }
    const { parts } = this;
    if (!parts) return false;
    const told = parts.told + (shareOf(quantity, parts.whole) ?? 2);
    const isPart =
      told <= 1 && this.isOneSentence(parts.whole, quantity) && (parts.told === 0 || this.isSamePlace(place));
    this.parts = isPart ? { ...parts, told } : null;
    return isPart;
  }

  /** The amounts before one that measure the same and are counted, the nearest first. */
  private earlier({ quantity, at }: Place): { quantity: Quantity; at: number }[] {
    const from = Math.max(0, at - mostBack);
    return this.given.quantities
      .slice(from, at)
      .map((one, index) => ({ quantity: one, at: from + index }))
      .filter((one) => comparable(one.quantity, quantity) && !this.setAside.has(one.quantity))
      .toReversed();
  }

  /** What an amount is said instead of: the nearest of what it is of, else the nearest. */
  private correctedBy(place: Place): { quantity: Quantity } | null {
    const earlier = this.earlier(place);
    const own = this.saidOf(place.at);
    const same = earlier.find(({ at }) => [...this.saidOf(at)].some((key) => own.has(key)));
    return same ?? earlier[0] ?? null;
  }

  /** What is said behind an amount of what it is of, and where. */
  private saidOf(at: number): ReadonlySet<string> {
    const { quantities, meanings, countries, folded } = this.given;
    const end = quantities[at]?.end ?? 0;
    const rest = folded.slice(end, Math.min(end + longestBehind, quantities[at + 1]?.start ?? Infinity));
    const stop = end + (sentenceEnd.exec(rest)?.index ?? rest.length);
    return new Set([
      ...within(meanings, end, stop)
        .map(({ key }) => key)
        .filter((key) => !vagueConcepts.has(key)),
      ...within(countries, end, stop).map(({ code }) => code),
    ]);
  }

  private isOneSentence(first: Quantity, second: Quantity): boolean {
    const between = this.given.folded.slice(first.end, second.start);
    return between.length < 300 && !sentenceEnd.test(between);
  }

  /** Whether no country is named behind an amount: parts of one whole are seldom told by country. */
  private isSamePlace({ quantity, after }: Place): boolean {
    return within(this.given.countries, quantity.end, quantity.end + after.length).length === 0;
  }
}

/** Every amount is asked for several times. */
const known = new WeakMap<readonly Quantity[], ReadonlySet<Quantity>>();

/**
 * The amounts of a text that it says are not to be counted: taken back («pas 3 000 kWh mais 300»), put right («pardon,
 * 300»), left out («hors 500 litres»), compared with, contained in another («dont 5 000 kWh»), sold, or made by oneself; and
 * ranges, of which nobody knows what to count.
 */
export function setAsideIn(given: Given): ReadonlySet<Quantity> {
  const remembered = known.get(given.quantities);
  if (remembered) return remembered;
  const judge = new Judge(given);
  for (const [at, quantity] of given.quantities.entries()) {
    const place = quantity.range ? null : placeOf(given, at);
    if (quantity.range) judge.setAside.add(quantity);
    else if (place) judge.look(place);
  }
  known.set(given.quantities, judge.setAside);
  return judge.setAside;
}

/** The amounts of something used that are to be counted. */
export const countedIn = (reading: Reading): Quantity[] => {
  const setAside = setAsideIn(reading);
  return measuresIn(reading).filter((quantity) => !setAside.has(quantity));
};
