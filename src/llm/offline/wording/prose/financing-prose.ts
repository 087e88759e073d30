import type { JsonObject } from '../../../../common/json.js';
import { asArray, asObject, asText, strings } from '../../json-access.js';
import type { Language } from '../../reading/words/language.js';
import { phrases } from '../languages/phrases.js';

const mostMatches = 5;
const mostNear = 3;

interface Words {
  why: string;
  notKnown: string;
  source: string;
  asOf: (year: number) => string;
  near: string;
  wider: string;
}

const words: Readonly<Record<Language, Words>> = {
  fr: {
    why: 'Ce qui convient',
    notKnown: 'À vérifier',
    source: 'Source',
    asOf: (year) => `information de ${year}`,
    near: 'Presque adaptés',
    wider: 'Pour élargir',
  },
  en: {
    why: 'What fits',
    notKnown: 'To be checked',
    source: 'Source',
    asOf: (year) => `information from ${year}`,
    near: 'Nearly fitting',
    wider: 'To find more',
  },
  es: {
    why: 'Lo que encaja',
    notKnown: 'Por comprobar',
    source: 'Fuente',
    asOf: (year) => `información de ${year}`,
    near: 'Casi adecuados',
    wider: 'Para ampliar',
  },
  'zh-Hant': {
    why: '符合之處',
    notKnown: '待確認',
    source: '資料來源',
    asOf: (year) => `資料年份 ${year}`,
    near: '接近符合',
    wider: '擴大搜尋',
  },
};

/** Programmes of finance: the best with their reasons, what nearly fits, and what has to be confirmed. */
export function describeFinancing(value: JsonObject, language: Language): string {
  const own = words[language];
  const { colon, separator, caveats } = phrases[language];
  const told = (title: string, texts: readonly string[]): string[] =>
    texts.length === 0 ? [] : [`  ${title}${colon}${texts.join(separator)}`];
  const matches = asArray(value['matches']).slice(0, mostMatches).map(asObject);
  const lines = matches.map((match) => {
    const facts = ['instruments', 'apply', 'amount', 'window'].map((key) => asText(match[key]));
    const year = match['asOfYear'];
    const all = [
      ...facts.filter((text) => text !== ''),
      ...(typeof year === 'number' ? [own.asOf(year)] : []),
    ];
    const provider = asText(match['provider']) === '' ? '' : ` (${asText(match['provider'])})`;
    return [
      `- **${asText(match['name'])}**${provider}${colon}${all.join(separator)}`,
      ...told(own.why, strings(match['why'])),
      ...told(own.notKnown, strings(match['notKnown'])),
      ...told(own.source, asText(match['source']) === '' ? [] : [asText(match['source'])]),
    ].join('\n');
  });
  const near = asArray(value['near']).slice(0, mostNear).map(asObject);
  const nearLines = near.map(({ name, inTheWay }) => `- ${asText(name)}${colon}${asText(inTheWay)}`);
  const noted = [...strings(value['notes']), asText(value['ranking'])].filter((text) => text !== '');
  return [
    asText(value['summary']),
    lines.join('\n'),
    nearLines.length === 0 ? '' : [`**${own.near}**`, ...nearLines].join('\n'),
    list(own.wider, strings(value['widen'])),
    asText(value['reminder']),
    list(caveats, noted),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

const list = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [`**${title}**`, ...lines.map((line) => `- ${line}`)].join('\n');
