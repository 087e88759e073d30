const verbs =
  'calcule[rz]?|estime[rz]?|evalue[rz]?|cherche[rz]?|trouve[rz]?|genere[rz]?|prepare[rz]?|redige[rz]?|ecri(?:s|vez)|fais|faites|produi(?:s|sez)|cree[rz]?|compare[rz]?|resume[rz]?|analyse[rz]?|montre[rz]?|donne[rz]?|dis(?=-moi)|dites(?=-moi)|explique[rz]?|liste[rz]?|tradui(?:s|sez)|envoie|envoyez|actualise[rz]?|mets|mettez' +
  '|calculate|compute|estimate|evaluate|find|search|look|generate|prepare|write|make|create|draft|compare|summari[sz]e|analy[sz]e|show|give|tell|explain|list|translate|send|update' +
  '|calcul[ae]|estim[ae]|busca|busque|encuentr[ae]|gener[ae]|redact[ae]|escrib[ae]|haz|haga|cre[ae]|compar[ae]|resum[ae]|analiz[ae]|muestr[ae]|dame|deme|dime|digame|expli(?:ca|que)|traduc[ae]|envi[ae]|actuali(?:za|ce)';
/** What is worked on; without a comma, «et calcule la paie» may go on with what somebody does. */
const matters =
  'empreinte|emissions?|bilan|scores?|rapports?|financements?|subventions?|prets?|documents?|questionnaire|esg|carbone|kwh|co2|footprint|reports?|financing|grants?|loans?|carbon|huella|emisiones|informes?|financiacion|subvenciones|prestamos|carbono';

/** «…, puis calcule», «… et calcule l'empreinte», «…; then find», «…，然後計算»: where an order to work begins. Folded. */
const work = new RegExp(
  `(?:\\s?[,;:]\\s?(?:(?:et|and|y|mais|but|pero)\\s)?(?:(?:puis|ensuite|apres|apres cela|then|afterwards|luego|despues|entonces)\\s)?|\\s(?:et|and|y)\\s(?:puis|ensuite|then|luego|despues)\\s|\\s(?:puis|ensuite|then|luego|despues)\\s)(?=(?:${verbs})(?![\\p{L}\\p{N}]))` +
    `|\\s(?:et|and|y)\\s(?=(?:(?:${verbs})-moi|(?:${verbs})(?: \\S{1,20}){0,4}? \\S{0,3}(?:${matters}))(?![\\p{L}\\p{N}]))` +
    `|[，；、,]\\s?(?:然後|接著|再|並且?|順便|之後)?(?:請|麻煩)?(?:你|您)?(?:幫我|替我)?(?=計算|估算|搜尋|尋找|找出|查詢|產生|準備|撰寫|製作|比較|摘要|分析|翻譯|列出)`,
  'u',
);

/** Where an order to work stands behind something else in a folded sentence; null: nowhere. */
export function workBehind(folded: string): { start: number; end: number } | null {
  const match = work.exec(folded);
  return match && match.index > 0 ? { start: match.index, end: match.index + match[0].length } : null;
}
