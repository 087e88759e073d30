import type { JsonObject } from '../../../../common/json.js';
import { asArray, asObject, asText, strings } from '../../json-access.js';
import type { Language } from '../../reading/words/language.js';

const mostFigures = 10;
const mostNamed = 12;

interface Words {
  figures: string;
  page: (number: number) => string;
  covered: string;
  missing: string;
  more: (count: number) => string;
}

const words: Readonly<Record<Language, Words>> = {
  fr: {
    figures: 'Chiffres clés',
    page: (number) => `p. ${number}`,
    covered: 'ESG : ce que le document étaye',
    missing: 'Ce qui manque pour un dossier ESG',
    more: (count) => `… et ${count} autres`,
  },
  en: {
    figures: 'Key figures',
    page: (number) => `p. ${number}`,
    covered: 'ESG: what the document supports',
    missing: 'What is missing for an ESG file',
    more: (count) => `… and ${count} more`,
  },
  es: {
    figures: 'Cifras clave',
    page: (number) => `p. ${number}`,
    covered: 'ESG: lo que el documento respalda',
    missing: 'Lo que falta para un expediente ESG',
    more: (count) => `… y ${count} más`,
  },
  'zh-Hant': {
    figures: '關鍵數字',
    page: (number) => `第 ${number} 頁`,
    covered: 'ESG：文件能佐證的項目',
    missing: 'ESG 檔案還缺少的項目',
    more: (count) => `……另有 ${count} 項`,
  },
};

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [`**${title}**`, ...lines.map((line) => `- ${line}`)].join('\n');

const figureLine = ({ label, value, page }: JsonObject, own: Words): string => {
  const [name, amount] = [asText(label), asText(value)];
  // A sentence with its amount in it says it once.
  const said = name.includes(amount) ? name : `${name}: ${amount}`;
  return typeof page === 'number' ? `${said} (${own.page(page)})` : said;
};

/** The analysis of a document: how it stands, what it says, its figures, and what it holds for ESG. */
export function describeAnalysis(value: JsonObject, language: Language): string {
  const own = words[language];
  const limited = (list: readonly string[]): string[] =>
    list.length <= mostNamed ? [...list] : [...list.slice(0, mostNamed), own.more(list.length - mostNamed)];
  const esg = asObject(value['esg']);
  const figures = asArray(value['keyFigures'])
    .map(asObject)
    .slice(0, mostFigures)
    .map((figure) => figureLine(figure, own));
  return [
    asText(value['summary']),
    asText(value['content']),
    section(own.figures, [...new Set(figures)]),
    section(own.covered, limited(strings(esg['covered']))),
    section(own.missing, limited(strings(esg['missing']))),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}
