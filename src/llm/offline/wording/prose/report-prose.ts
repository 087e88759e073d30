import type { JsonObject } from '../../../../common/json.js';
import { asArray, asObject, asText, parseJson } from '../../json-access.js';
import type { Language } from '../../reading/words/language.js';
import { isReportKind, type ReportKind } from '../../reports/report-chain.js';
import type { ToolResult } from '../../tool-result.js';
import { phrases } from '../languages/phrases.js';

interface Words {
  pages: (count: number) => string;
  until: (time: string) => string;
  needs: Readonly<Record<ReportKind, string>>;
  /** Where nothing tells which report is meant. */
  which: string;
}

const words: Readonly<Record<Language, Words>> = {
  fr: {
    pages: (count) => `${count} page${count > 1 ? 's' : ''}`,
    until: (time) => `lien valable jusqu’au ${time}`,
    needs: {
      esg: 'Il n’y a pas encore de score ESG dans cette conversation. Demandez-moi d’abord de le calculer, avec vos réponses : par exemple « Calcule mon score ESG : nous avons 40 % de femmes, pas de politique anticorruption ».',
      carbon:
        'Il n’y a pas encore d’empreinte carbone dans cette conversation. Donnez-moi d’abord vos quantités avec leur unité, par exemple « 12 000 kWh d’électricité au Sénégal ».',
      financing:
        'Il n’y a pas encore de recherche de financements dans cette conversation. Dites-moi d’abord pour quel projet et dans quel pays.',
    },
    which:
      'Un rapport se fait à partir d’un score ESG, d’une empreinte carbone ou d’une recherche de financements, et cette conversation n’en contient pas encore. Lequel des trois voulez-vous, et avec quelles données ?',
  },
  en: {
    pages: (count) => `${count} page${count > 1 ? 's' : ''}`,
    until: (time) => `link valid until ${time}`,
    needs: {
      esg: 'There is no ESG score in this conversation yet. Ask me for it first, with your answers: “Calculate my ESG score: we have 40% women, no anti-corruption rules”.',
      carbon:
        'There is no carbon footprint in this conversation yet. Give me your quantities with their unit first, for example “12,000 kWh of electricity in Senegal”.',
      financing:
        'There is no search for financing in this conversation yet. Tell me first for which project and in which country.',
    },
    which:
      'A report is made from an ESG score, a carbon footprint or a search for financing, and this conversation has none of them yet. Which of the three do you want, and with which data?',
  },
  es: {
    pages: (count) => `${count} página${count > 1 ? 's' : ''}`,
    until: (time) => `enlace válido hasta el ${time}`,
    needs: {
      esg: 'Todavía no hay una puntuación ESG en esta conversación. Pídamela primero con sus respuestas: «Calcula mi puntuación ESG: tenemos un 40 % de mujeres».',
      carbon:
        'Todavía no hay una huella de carbono en esta conversación. Deme primero sus cantidades con su unidad, por ejemplo «12.000 kWh de electricidad en Senegal».',
      financing:
        'Todavía no hay una búsqueda de financiación en esta conversación. Dígame primero para qué proyecto y en qué país.',
    },
    which:
      'Un informe se hace a partir de una puntuación ESG, una huella de carbono o una búsqueda de financiación, y esta conversación aún no tiene ninguna. ¿Cuál de las tres quiere, y con qué datos?',
  },
  'zh-Hant': {
    pages: (count) => `${count} 頁`,
    until: (time) => `連結有效至 ${time}`,
    needs: {
      esg: '這次對話中還沒有 ESG 評分。請先請我計算，並附上您的答覆，例如「請計算我們的 ESG 評分：女性員工占 40%」。',
      carbon: '這次對話中還沒有碳足跡。請先提供數量與單位，例如「在塞內加爾用電 12,000 度」。',
      financing: '這次對話中還沒有融資查詢。請先告訴我專案內容與國家。',
    },
    which:
      '報告要根據 ESG 評分、碳足跡或融資查詢製作，而這次對話還沒有其中任何一項。您需要哪一種？有哪些資料？',
  },
};

const timeText = (time: string, language: Language): string => {
  const date = new Date(time);
  if (time === '' || Number.isNaN(date.getTime())) return '';
  const { locale } = phrases[language];
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
    date,
  );
};

/** The files of a report, each with its link as it was given. */
export function describeReport(value: JsonObject, language: Language): string {
  const own = words[language];
  const { separator } = phrases[language];
  const files = asArray(value['files']).map(asObject);
  const lines = files.flatMap(({ name, format, pages, url, expiresAt }) => {
    if (asText(url) === '') return [];
    const until = timeText(asText(expiresAt), language);
    const details = [
      asText(format).toUpperCase(),
      ...(typeof pages === 'number' ? [own.pages(pages)] : []),
      ...(until === '' ? [] : [own.until(`${until} UTC`)]),
    ];
    return [`- [${asText(name)}](${asText(url)}) (${details.join(separator)})`];
  });
  return lines.length === 0 ? '' : [asText(value['summary']), lines.join('\n')].filter(Boolean).join('\n\n');
}

/** Asks which report is meant. */
export const whichReport = (language: Language): string => words[language].which;

/** What is lacking for a report that could not be made because nothing was calculated; null: it failed otherwise. */
export function reportNeeds(result: ToolResult, reason: string, language: Language): string | null {
  const kind = asText(asObject(parseJson(result.arguments) ?? {})['kind']);
  return /nothing to report/i.test(reason) && isReportKind(kind) ? words[language].needs[kind] : null;
}
