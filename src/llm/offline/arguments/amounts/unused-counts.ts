import type { Quantity } from '../../reading/numbers/quantity.js';
import type { Reading } from '../../reading/read.js';
import { measuresIn } from './measures.js';

const sentenceEnd = /[.;!?](?=\s|$)|[\n。；！？]/gu;

/** «la moitié de 10 000 kWh»: a part of an amount, said in words. */
const portions =
  /(?<![\p{L}'])(?:(?:la|une) moitie|(?:le|un|deux|les deux) (?:tiers|quarts?)|(?:les )?trois quarts|half (?:of|the|our)|(?:a|one|two) (?:thirds?|quarters?) of|la mitad|(?:un|dos) tercios?|(?:un|tres) cuartos?)(?![\p{L}])|一半|[二三四]分之[一二三]/gu;
/** Whether the way back is in a distance, nobody says. */
const returns =
  /(?<![\p{L}])(?:aller[s]?[ -](?:et )?retours?|round[ -]trips?|return (?:trips?|flights?)|idas? y vueltas?)(?![\p{L}])|來回|往返/gu;
const eachOf =
  /(?<![\p{L}])(?:chaque|chacune?s?|each|every|apiece|cada|par (?:camion|vehicule|voiture|moto|bouteille|fut|sac|bidon|site|personne)|per (?:truck|vehicle|car|bottle|drum|bag|site|person))(?![\p{L}])|[各每](?=[輛台人桶個袋瓶次])/u;
const people =
  /^\s(?:autres\s)?(?:personnes|passagers|voyageurs|people|persons|passengers|travell?ers|personas|pasajeros|viajeros)(?![\p{L}])|^\s?(?:個人|位|人)/u;
const things =
  /^\s(?:\p{L}+\s)?(?:camions|vehicules|voitures|camionnettes|motos|groupes|generateurs|bouteilles|bonbonnes|futs|sacs|bidons|citernes|cuves|sites|trucks|vehicles|cars|vans|generators|bottles|drums|bags|tanks|camiones|vehiculos|coches|generadores|bombonas|bidones|sacos)(?![\p{L}])|^\s?(?:輛|台|桶|袋|瓶)/u;
/** «40 sacs de charbon», «2 bouteilles de gaz B12»: nobody says what one of them holds. */
const containers =
  /^\s(?:(?:grande?s|petite?s|gros(?:ses)?)\s)?(?:bouteilles|bonbonnes|recharges|futs|sacs|bidons|jerricans|citernes|cuves|charrettes|bottles|cylinders|drums|bags|sacks|tanks|jerrycans|bombonas|bidones|sacos)\s(?:d[e']\s?|of\s)?(?:gaz|butane|propane|gpl|charbon|bois|gas-?oil|gazole|essence|petrole|diesel|fioul|mazout|gas|lpg|charcoal|coal|firewood|fuel|petrol|butano|propano|carbon|lena|gasoleo|gasolina)(?![\p{L}])(?:\s[a-z]\d{1,2}(?![\p{L}\d]))?/u;
/** «5 litres par heure, 4 heures par jour»: what is used up in an hour is no total. */
const hourly = /(?<![\p{L}])(?:(?:par|a l'|an|per|por)\s?|\/\s?)(?:heure|hour|hora|h)(?![\p{L}])/u;
/** «nous en avons 3»: the number alone, at the end. */
const owned = /\b(?:en (?:avons|a|ai|possedons)|have|tenemos)\s$/;

const mostCounted = 1000;

interface Piece {
  start: number;
  end: number;
}

/** The sentences of a text by their places. */
function sentencesIn(folded: string): Piece[] {
  const ends = Array.from(folded.matchAll(sentenceEnd), ({ index }) => index + 1);
  return [...ends, folded.length].map((end, at) => ({ start: ends[at - 1] ?? 0, end }));
}

const matchesIn = (text: string, piece: string, from: number, pattern: RegExp): string[] =>
  Array.from(piece.matchAll(pattern), ({ 0: match, index }) =>
    text.slice(from + index, from + index + match.length).trim(),
  );

/** A number of things beside an amount of each, or of people who go a distance, that was not multiplied with it. */
function countsIn(
  reading: Reading,
  piece: string,
  { start, end }: Piece,
  inside: readonly Quantity[],
): string[] {
  const { folded, text } = reading;
  const isOfEach = eachOf.test(piece);
  const isTravel = inside.some(({ unit }) => unit?.dimension === 'distance');
  return inside.flatMap((quantity) => {
    if (quantity.unit || !Number.isInteger(quantity.value) || quantity.value < 2) return [];
    if (quantity.value >= mostCounted) return [];
    const behind = folded.slice(quantity.end, Math.min(end, quantity.end + 40));
    const ahead = folded.slice(Math.max(start, quantity.start - 20), quantity.start);
    const noun =
      (isTravel && people.exec(behind)) || (isOfEach && (things.exec(behind) ?? people.exec(behind)));
    if (noun) return [text.slice(quantity.start, quantity.end + noun[0].length)];
    return isOfEach && owned.test(ahead) ? [text.slice(quantity.start, quantity.end)] : [];
  });
}

/** The numbers of containers in a text whose content is not said, and how long something ran that uses up so much an hour. */
function unmeasuredIn({ folded, text, quantities }: Reading): string[] {
  const isHourly = hourly.test(folded);
  return quantities.flatMap(({ unit, start, end }) => {
    const noun = unit ? null : containers.exec(folded.slice(end, end + 60));
    if (noun) return [text.slice(start, end + noun[0].length)];
    return isHourly && unit?.key === 'hour' ? [text.slice(start, end)] : [];
  });
}

/** What multiplies or divides the amounts of a text and was not read so, in its own words. */
export function unusedCounts(reading: Reading): string[] {
  const { folded, text, quantities } = reading;
  const measures = new Set(measuresIn(reading));
  let next = 0;
  const counts = sentencesIn(folded).flatMap((piece) => {
    const inside: Quantity[] = [];
    for (; (quantities[next]?.start ?? Infinity) < piece.end; next += 1)
      inside.push(...quantities.slice(next, next + 1));
    if (!inside.some((quantity) => measures.has(quantity))) return [];
    const said = folded.slice(piece.start, piece.end);
    const isTravel = inside.some(({ unit }) => unit?.dimension === 'distance');
    return [
      ...matchesIn(text, said, piece.start, portions),
      ...(isTravel ? matchesIn(text, said, piece.start, returns) : []),
      ...countsIn(reading, said, piece, inside),
    ];
  });
  return measures.size > 0 ? [...new Set([...counts, ...unmeasuredIn(reading)])] : counts;
}
