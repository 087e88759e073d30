/** Numerals in simplified characters, those of contracts too, by their value. */
const digitOf: ReadonlyMap<string, number> = new Map(
  ['〇零', '一壹', '二贰两', '三叁参', '四肆', '五伍', '六陆', '七柒', '八捌', '九玖'].flatMap(
    (signs, value) => [...signs].map((sign): [string, number] => [sign, value]),
  ),
);
const tenfold: ReadonlyMap<string, number> = new Map([
  ['十', 10],
  ['拾', 10],
  ['百', 100],
  ['佰', 100],
  ['千', 1000],
  ['仟', 1000],
]);
const signs = [...digitOf.keys(), ...tenfold.keys()].join('');

const grouped = /(?<![\d.,])\d{1,3}(?:[,'’\u00A0\u202F ]\d{3})+(?!\d)/g;
/** A single numeral is mostly part of a word: 一般, 三亞. */
const numeral = new RegExp(`[${signs}]{2,}|[${signs}](?=[万亿])`, 'gu');
const inHundredMillions = /(\d+(?:\.\d+)?)\s?亿(?:(\d+(?:\.\d+)?)\s?万)?/gu;
const inTenThousands = /(\d+(?:\.\d+)?)\s?万(\d{1,4}(?!\d))?/gu;

/** 二十五 is 25; 一一三 is 113. */
const valueOf = (numerals: string): string => {
  const units = [...numerals];
  if (!units.some((sign) => tenfold.has(sign))) return units.map((sign) => digitOf.get(sign)).join('');
  let [sum, digit] = [0, 0];
  for (const sign of units) {
    const times = tenfold.get(sign);
    if (times === undefined) digit = digitOf.get(sign) ?? 0;
    else {
      sum += (digit || 1) * times;
      digit = 0;
    }
  }
  return `${sum + digit}`;
};

const whole = (value: number): string => `${Math.round(value)}`;

/**
 * A text, in simplified characters, with its figures in plain digits: 1,234 is 1234, and 貳拾伍萬 and 25 萬 are 250000.
 * What an answer says of a figure is written otherwise than in the document more often than not.
 */
export const withPlainFigures = (text: string): string =>
  text
    .replace(grouped, (figure) => figure.replaceAll(/\D/g, ''))
    .replace(numeral, valueOf)
    .replace(inHundredMillions, (_, millions: string, rest?: string) =>
      whole(Number(millions) * 1e8 + Number(rest ?? 0) * 1e4),
    )
    .replace(inTenThousands, (_, thousands: string, rest?: string) =>
      whole(Number(thousands) * 1e4 + Number(rest ?? 0)),
    );
