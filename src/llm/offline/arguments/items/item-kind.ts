import { bestValue, type Fate, fateIn } from '../values/enum-glossary.js';
import type { ItemShape } from './item-shape.js';
import { vagueConcepts } from '../../reading/words/lexicon.js';
import type { Meaning } from '../../reading/words/meaning.js';
import type { Quantity } from '../../reading/numbers/quantity.js';
import type { Reading } from '../../reading/read.js';
import { apartFrom, within } from '../../reading/spans.js';

/** A quantity among the quantities of its text. */
export interface Placed {
  quantity: Quantity;
  previous: Quantity | null;
  next: Quantity | null;
}

type Side = 'after' | 'before';

export const placed = (quantities: readonly Quantity[]): Placed[] =>
  quantities.map((quantity, at) => ({
    quantity,
    previous: quantities[at - 1] ?? null,
    next: quantities[at + 1] ?? null,
  }));

const sentenceEnd = /[.;!?\n](?=\s|$)|。/u;
const sentenceEnds = new RegExp(sentenceEnd, 'gu');
/** What follows a comma or an «and» belongs to the next quantity. */
const nextOnes = /^\s*(?:[,;)、，]|(?:et|and|y|e|plus|mas)\s)/u;

/** The stretch of text that may name what a quantity is of, on one of its sides. */
export function stretch(
  { folded, text }: Reading,
  { quantity, previous, next }: Placed,
  side: Side,
): [start: number, end: number] {
  if (side === 'before') {
    const from = previous?.end ?? 0;
    const breaks = Array.from(folded.slice(from, quantity.start).matchAll(sentenceEnds));
    return [from + (breaks.at(-1)?.index ?? 0), quantity.start];
  }
  const rest = folded.slice(quantity.end, next?.start ?? text.length);
  const stop = nextOnes.test(rest) ? 0 : (sentenceEnd.exec(rest)?.index ?? rest.length);
  // The unit's own words tell too: a «nuitée» is a hotel's.
  return [quantity.numberEnd, quantity.end + stop];
}

const electricity: readonly Meaning[] = [{ key: 'electricity', known: true, start: 0, end: 0 }];

/** «of milk»; but «de plus» and «de más» are more of the same. */
const ofSomething = /^\s*(?:d'|(?:de|du|des|of|del)\s(?!plus\b|mas\b))/;

/** No factor of a car that burns fuel is one of these. */
const electricVehicle =
  /\b(?:voiture|vehicule|auto|camionnette|fourgon\w*|camion|moto|scooter|bus|coche|carro|furgoneta|vehiculo|autobus)s?\s(?:(?!diesel|essence)[\p{L}-]+\s){0,2}(?:electri\w+|hybrid\w*)|\b(?:electric|hybrid|battery)\s(?:[\p{L}-]+\s)?(?:cars?|vans?|vehicles?|trucks?|lorr\w+|buses|bus|motorbikes?|scooters?)\b|電動|油電/u;

/** Finds what each quantity of a text is of. */
export class KindFinder {
  private readonly usualSide: Side;
  /** The kind last found for a unit's dimension: what a quantity that names nothing is of. */
  private readonly last = new Map<string, string>();

  constructor(
    private readonly reading: Reading,
    private readonly shape: ItemShape,
    private readonly quantities: readonly Placed[],
  ) {
    this.usualSide = this.findUsualSide();
  }

  /** The kind of one quantity; ask in the order of the text. */
  kindOf(one: Placed): string | null {
    const found = this.named(one) ?? this.unnamed(one);
    const dimension = one.quantity.unit?.dimension;
    if (found && dimension) this.last.set(dimension, found);
    return found;
  }

  private named(one: Placed): string | null {
    const found = this.kindOn(one, this.usualSide);
    if (found || this.quantities.length > 1) return found;
    return this.kindOn(one, this.usualSide === 'after' ? 'before' : 'after');
  }

  private unnamed(one: Placed): string | null {
    const dimension = one.quantity.unit?.dimension;
    // Nobody says «kWh» of nothing in particular but of electricity.
    if (dimension === 'energy') {
      const value = bestValue(this.shape.glossary, electricity, 'energy')?.value ?? null;
      return this.namesSomething(one) ? value : (this.last.get('energy') ?? value);
    }
    return dimension && !this.namesSomething(one) ? (this.last.get(dimension) ?? null) : null;
  }

  private namesSomething(one: Placed): boolean {
    if (ofSomething.test(this.reading.folded.slice(one.quantity.end, one.quantity.end + 12))) return true;
    return this.said(one, this.usualSide).some(({ key }) => !vagueConcepts.has(key));
  }

  private said(one: Placed, side: Side): Meaning[] {
    const [start, end] = stretch(this.reading, one, side);
    const from = side === 'after' ? one.quantity.end : start;
    return apartFrom(within(this.reading.meanings, from, end), this.reading.countries);
  }

  private kindOn(one: Placed, side: Side): string | null {
    const [start, end] = stretch(this.reading, one, side);
    const said = within(this.reading.meanings, start, end);
    const dimension = one.quantity.unit?.dimension ?? null;
    if (dimension === 'distance' && electricVehicle.test(this.reading.folded.slice(start, end))) return null;
    return bestValue(this.shape.glossary, said, dimension, this.fateOf(one))?.value ?? null;
  }

  /** What is said of what becomes of a quantity: behind it, before it, or of those before it in the sentence. */
  private fateOf(one: Placed): Fate | null {
    const { meanings, folded } = this.reading;
    const [from, end] = stretch(this.reading, one, 'after');
    const comma = folded.slice(from, end).search(/[,;、，]/u);
    const behind = fateIn(within(meanings, from, comma < 0 ? end : from + comma));
    if (behind !== null) return behind;
    const [start, to] = stretch(this.reading, one, 'before');
    const before = fateIn(within(meanings, start, to));
    if (before !== null || one.previous === null) return before;
    const isNewSentence = sentenceEnd.test(folded.slice(one.previous.end, one.quantity.start));
    const previous = this.quantities.find(({ quantity }) => quantity === one.previous);
    return isNewSentence || !previous ? null : this.fateOf(previous);
  }

  /** «12 kWh of power, 3 l of diesel» or «power 12 kWh, diesel 3 l»: the side that names more of them. */
  private findUsualSide(): Side {
    const count = (side: Side) => this.quantities.filter((one) => this.kindOn(one, side) !== null).length;
    return count('before') > count('after') ? 'before' : 'after';
  }
}
