import { inLanguage } from '../../../common/text/in-language.js';
import type { OutboundErrorCode } from '../../../platform/outbound/outbound-http.js';

interface PageFacts {
  /** The title, or the host of a page without one. */
  title: string;
  host: string;
  /** Whether something was left out. */
  isPart: boolean;
}

/** What went wrong with a page or a search, beside what the network says. */
export type WebFailure = OutboundErrorCode | 'STATUS' | 'TYPE' | 'EMPTY' | 'INTRICATE';

/** All that the web skills say to people in one language. */
export interface WebWording {
  read(facts: PageFacts): string;
  /** `sites` are hosts. */
  found(query: string, count: number, sites: string): string;
  /** `text`: what a search engine answers itself, where there are no pages. */
  answered(query: string, text: string): string;
  nothingFound(query: string): string;
  /** `detail`: the status, or the kind of content. */
  failures: Readonly<Record<WebFailure, (detail: string) => string>>;
  searchFailed(detail: string): string;
  /** `engines`: their names, each with why it gave nothing. */
  noEngines(engines: string): string;
}

const english: WebWording = {
  read: ({ title, host, isPart }) => `Read ${isPart ? 'part of ' : ''}“${title}” (${host}).`,
  found: (query, count, sites) => `${count} ${count === 1 ? 'result' : 'results'} for “${query}”: ${sites}.`,
  answered: (query, text) => `Answer to “${query}”: ${text}`,
  nothingFound: (query) => `Nothing found for “${query}”.`,
  failures: {
    BLOCKED: () => 'This address cannot be reached from here: it is not a public one.',
    TIMEOUT: () => 'The site did not answer in time.',
    TOO_LARGE: () => 'The answer is too large.',
    UNREACHABLE: () => 'The site cannot be reached.',
    BAD_URL: () => 'This is not a valid web address.',
    TOO_MANY_REDIRECTS: () => 'The address redirects too many times.',
    STATUS: (status) => `The site answers with an error (${status}).`,
    TYPE: (type) => `Only web pages and text can be read, not ${type}.`,
    EMPTY: () => 'There is no text on this page.',
    INTRICATE: () => 'This page is too intricate to be read.',
  },
  searchFailed: (detail) => `The search of the web has failed: ${detail}`,
  noEngines: (engines) => `no search engine gives an answer now: ${engines}.`,
};

const french: WebWording = {
  read: ({ title, host, isPart }) => `${isPart ? 'Lu en partie' : 'Lu'} : « ${title} » (${host}).`,
  found: (query, count, sites) =>
    `${count} ${count === 1 ? 'résultat' : 'résultats'} pour « ${query} » : ${sites}.`,
  answered: (query, text) => `Réponse à « ${query} » : ${text}`,
  nothingFound: (query) => `Aucun résultat pour « ${query} ».`,
  failures: {
    BLOCKED: () => 'Cette adresse n’est pas accessible d’ici : elle n’est pas publique.',
    TIMEOUT: () => 'Le site n’a pas répondu à temps.',
    TOO_LARGE: () => 'La réponse est trop volumineuse.',
    UNREACHABLE: () => 'Le site est injoignable.',
    BAD_URL: () => 'Ce n’est pas une adresse web valable.',
    TOO_MANY_REDIRECTS: () => 'L’adresse renvoie trop de fois ailleurs.',
    STATUS: (status) => `Le site répond par une erreur (${status}).`,
    TYPE: (type) => `Seules les pages web et les textes peuvent être lus, pas ${type}.`,
    EMPTY: () => 'Il n’y a pas de texte sur cette page.',
    INTRICATE: () => 'Cette page est trop complexe pour être lue.',
  },
  searchFailed: (detail) => `La recherche sur le web a échoué : ${detail}`,
  noEngines: (engines) => `aucun moteur de recherche ne répond pour l’instant : ${engines}.`,
};

const spanish: WebWording = {
  read: ({ title, host, isPart }) => `${isPart ? 'Leído en parte' : 'Leído'}: «${title}» (${host}).`,
  found: (query, count, sites) =>
    `${count} ${count === 1 ? 'resultado' : 'resultados'} para «${query}»: ${sites}.`,
  answered: (query, text) => `Respuesta a «${query}»: ${text}`,
  nothingFound: (query) => `Ningún resultado para «${query}».`,
  failures: {
    BLOCKED: () => 'No se puede acceder a esta dirección desde aquí: no es pública.',
    TIMEOUT: () => 'El sitio no respondió a tiempo.',
    TOO_LARGE: () => 'La respuesta es demasiado grande.',
    UNREACHABLE: () => 'No se puede acceder al sitio.',
    BAD_URL: () => 'No es una dirección web válida.',
    TOO_MANY_REDIRECTS: () => 'La dirección redirige demasiadas veces.',
    STATUS: (status) => `El sitio responde con un error (${status}).`,
    TYPE: (type) => `Solo se pueden leer páginas web y textos, no ${type}.`,
    EMPTY: () => 'No hay texto en esta página.',
    INTRICATE: () => 'Esta página es demasiado compleja para leerla.',
  },
  searchFailed: (detail) => `La búsqueda en la web ha fallado: ${detail}`,
  noEngines: (engines) => `ningún buscador responde por ahora: ${engines}.`,
};

const traditionalChinese: WebWording = {
  read: ({ title, host, isPart }) => `${isPart ? '已閱讀部分內容' : '已閱讀'}：「${title}」（${host}）。`,
  found: (query, count, sites) => `「${query}」共有 ${count} 筆結果：${sites}。`,
  answered: (query, text) => `「${query}」的答案：${text}`,
  nothingFound: (query) => `找不到與「${query}」相關的結果。`,
  failures: {
    BLOCKED: () => '無法從這裡連線到此網址：它不是公開網址。',
    TIMEOUT: () => '網站未在時限內回應。',
    TOO_LARGE: () => '回應內容過大。',
    UNREACHABLE: () => '無法連線到網站。',
    BAD_URL: () => '這不是有效的網址。',
    TOO_MANY_REDIRECTS: () => '此網址重新導向次數過多。',
    STATUS: (status) => `網站回應錯誤（${status}）。`,
    TYPE: (type) => `只能閱讀網頁與文字，無法閱讀 ${type}。`,
    EMPTY: () => '此頁面沒有文字。',
    INTRICATE: () => '此頁面過於複雜，無法閱讀。',
  },
  searchFailed: (detail) => `網路搜尋失敗：${detail}`,
  noEngines: (engines) => `目前沒有任何搜尋引擎回應：${engines}。`,
};

/** The wording of a BCP 47 language; English for one that is not there. */
export const webWordingOf = inLanguage<WebWording>({
  en: english,
  fr: french,
  es: spanish,
  zh: traditionalChinese,
});
