import { fold, isHan, tidy, wordsOf } from './fold.js';
import { stopWords } from './lexicon.js';

const address = /https?:\/\/[^\s<>"'»）」]+/gu;

/** The web addresses a text names, each once. */
export const addressesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(address), ([url]) => url.replace(/[.,;:!?)。，]+$/u, ''))),
];

/** What says how to search, ask or answer, and nothing of what about. Folded. */
const fillers: ReadonlySet<string> = new Set(
  (
    'cherche cherches chercher cherchez recherche rechercher recherchez recherches trouve trouver trouvez donne donner donnez montre montrez explique expliquer expliquez decris detaille detaillee compare comparer comparez calcule calculer calculez estime dit disent apprend lis lire resume resumer ecris fais approfondi approfondie approfondir exhaustif exhaustive profondeur internet web ligne page besoin aimerais souhaite maintenant actuellement existe existent t si savoir aider aidez comme consommons utilisons ' +
    'search find look lookup give show explain describe says say read summarise summarize calculate internet online web need want like exhaustive thorough thoroughly depth deep detailed currently now there exist exists help please let lets only use using ' +
    'busca buscar busque encuentra investiga investigacion exhaustivo exhaustiva profundidad fondo dame muestra explica compara comparar calcula lee dice dicen internet linea pagina necesito quisiera actualmente ahora existe existen todos todas consumimos usamos saber haz hazme ayudame puedo podemos'
  ).split(' '),
);

/** Chinese has no spaces: what only asks is cut out instead. The longer ones first. */
const hanFillers =
  /什麼時候|何時|我們公司|本公司|有?(?:多久|多長|多大|多遠)(?:以?內|之內)?|有?幾(?:個(?:月|小時|星期|禮拜)|小時|分鐘|公里|[天日月年週次點時個位名人元萬晚歲成倍張份家])?|有多少錢|多少錢|有沒有|有無|可不可以|能不能|可否|是不是|要不要|會不會|需不需要|需要|(?<![重主必摘概紀])要(?![點求件約素領旨聞])|最多|最少|至少|誰|哪[裡兒些個一]|(?<!\p{Script=Han})[有到去往](?!年|職|期|限|效|關|機|害|權)|請問一下|請問|麻煩您?|請幫我|幫我|幫忙|我想知道|我想|想知道|告訴我|深入研究|全面比較|深入|研究一下|請|查詢|查一下|搜尋|網路上|上網|現在|目前|是多少|有多少|多少|是什麼|有什麼|什麼|有哪些|哪些|哪個|哪|如何|怎麼樣|怎麼|為什麼|為何|是否|可以|比較一下|比較|嗎|呢|吧|我們|你們|您|你|我|那在|那|在|是|的/gu;

export interface SalientWord {
  /** As it was written. */
  text: string;
  start: number;
  end: number;
}

const inHan = (text: string, start: number): SalientWord[] => {
  const blanked = text.replace(hanFillers, (filler) => ' '.repeat(filler.length));
  return Array.from(blanked.matchAll(/\S+/gu), ({ 0: part, index }) => ({
    text: part,
    start: start + index,
    end: start + index + part.length,
  }));
};

/** The words of a text that say what it is about, in order, without addresses. Places are those of `tidy(given)`. */
export function salientWords(given: string): SalientWord[] {
  const text = tidy(given).replace(address, (url) => ' '.repeat(url.length));
  return wordsOf(fold(text)).flatMap(({ text: folded, start, end }): SalientWord[] => {
    if (isHan(folded)) return inHan(text.slice(start, end), start);
    const tells = !stopWords.has(folded) && !fillers.has(folded) && (folded.length > 1 || /\d/.test(folded));
    return tells ? [{ text: text.slice(start, end), start, end }] : [];
  });
}

/** «Dakar», «Côte»: written like a name, and not because a sentence begins with it. */
export const isName = ({ text, start }: SalientWord): boolean =>
  (start > 0 && /^\p{Lu}\p{Ll}/u.test(text)) || isHan(text);
