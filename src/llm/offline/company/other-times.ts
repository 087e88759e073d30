/** When something was or will be, and is not now. All patterns are for folded text. */
const formerly =
  "l'an(?:nee)? (?:dernier|derniere|passee?|precedente?)|l'epoque|par le passe|auparavant|autrefois|jadis|anciennement|jusqu'en|avant la crise|il y a (?:\\d+|une?|deux|trois|quatre|cinq|dix|quelques) (?:ans?|annees?|mois)" +
  '|last (?:year|month|quarter)|previously|formerly|in the past|(?:\\d+|a|an|one|two|three|four|five|ten|few) (?:years?|months?) ago' +
  '|(?:el )?(?:ano|mes) pasado|anteriormente|antiguamente|hace (?:\\d+|un|dos|tres|cuatro|cinco|diez|unos) (?:anos?|mes(?:es)?)';
const was =
  "nous (?:etions|avions|employions|comptions|realisions|faisions|travaillions)|on (?:etait|avait|employait)|j'(?:avais|employais)" +
  "|etai(?:t|ent)|avai(?:t|ent)|comptai(?:t|ent)|employai(?:t|ent)|atteignai(?:t|ent)|faisai(?:t|ent)|s'elevai(?:t|ent)|realisai(?:t|ent)|generai(?:t|ent)|depassai(?:t|ent)" +
  '|(?:avons|ai|a|ont) (?:deja |alors )?(?:employe|eu|ete(?! (?:cree|fonde|constitue|lance|immatricule))|compte)' +
  '|(?:was|were)(?! (?:founded|created|established|born|started|set up|incorporated))|had|used to|we (?:employed|made|worked)' +
  '|eramos|teniamos|estabamos|empleabamos|facturabamos|contabamos|era|eran|tenia|empleaba|tuvimos|fuimos|hemos tenido';
const later =
  "l'an(?:nee)? prochaine?|prochainement|bientot|dans (?:\\d+|une?|deux|trois|quatre|cinq|dix|quelques) (?:ans?|annees?|mois)|d'ici (?:a |la |le |l')?(?:\\d|fin|un|deux|trois|cinq|dix|quelques|an|debut|prochain)" +
  '|next (?:year|month|quarter)|soon|within (?:\\d+|a|an|one|two|three|five|ten) (?:years?|months?)|by (?:the end of |end )?(?:next|20\\d\\d)' +
  '|(?:proximo|siguiente) (?:ano|mes)|(?:ano|mes) que viene|proximamente|pronto|dentro de (?:\\d+|un|dos|tres|cinco|diez|unos)';
const willBe =
  'nous (?:serons|aurons|passerons|atteindrons|emploierons|compterons|recruterons|embaucherons|ferons|realiserons|serions|aurions|pourrions|devrions)|(?:ser|aur|passer|atteindr|compter|emploier|fer|depasser|montera)(?:a|ont|ait|aient)|(?:devr|pourr)ai(?:t|ent)' +
  '|(?:allons|va|vais|vont) (?:passer|atteindre|etre|avoir|employer|compter|monter|augmenter|doubler|tripler|recruter|embaucher|faire|realiser)|prevu\\w*|prevo\\w+|envisag\\w+|esperons|comptons (?:passer|atteindre|recruter|embaucher|employer|etre|avoir|faire|doubler)' +
  "|will|we'll|going to|expect(?:s|ed|ing)?|hop(?:e|es|ing)|intend\\w*|aim(?:s|ing)? (?:to|for|at)|would|should|might|could|forecast\\w*" +
  '|seremos|tendremos|emplearemos|facturaremos|llegaremos|pasaremos|sera|seran|tendra|llegara|pasara|vamos a|va a (?:ser|tener|pasar|llegar)|previst[oa]s?|esperamos|preve\\w*';
/** Who comes and goes: not what a company's headcount is. */
const partOnly =
  'embauch\\w+|recrut\\w+|licenci\\w+|saisonni\\w+|temporaires?|interimaires?|stagiaires?|hired|hiring|fired|laid off|recruit\\w*|seasonal\\w*|temporary|temps|interns?|trainees|contratado|contratamos|despid\\w+|despedi\\w+|temporer[oa]s?|temporales|eventuales|becari[oa]s?';
const hanTimes =
  '去年|前年|曾經?|以前|過去|原本|明年|後年|將(?:會|達|增|有|為|來)|預計|預期|計畫|打算|臨時工|季節工|實習生|工讀生';

const otherTime = new RegExp(
  `(?<![\\p{L}\\p{N}-])(?:${formerly}|${was}|${later}|${willBe}|${partOnly})(?![\\p{L}\\p{N}])|${hanTimes}`,
  'u',
);
/** «En 2022», «our 2022 revenue»: of now only where the verb says so. */
const inYear =
  /(?<!\p{L})(?:en|in|durant|during|pour|for|annee|ejercicio) (?:l'annee |the year |el ano )?(?:19|20)\d\d(?!\d)|(?:19|20)\d\d ?年/u;
const present =
  /(?<!\p{L})(?:(?:avons|a|have|has|hemos) (?!(?:realise|fait|atteint|genere|made|reached|had|earned|alcanzado|facturado|tenido)(?!\p{L}))|(?:sommes|est|sont|employons|emploie|comptons|realisons|is|are|employ|employs|somos|estamos|tenemos|es|son|empleamos|tiene)(?!\p{L}))|是|有/u;
const founding =
  /(?<!\p{L})(?:cree|fonde|lance|constitue|immatricule|ne)e?s?(?!\p{L})|(?<!\p{L})(?:founded|created|established|started|since|depuis|desde|fundad[oa]|cread[oa]|constituid[oa])(?!\p{L})|成立|創立/u;
const nowadays =
  /(?<!\p{L})(?:aujourd'hui|maintenant|desormais|actuellement|a present|a ce jour|today|now|nowadays|currently|at present|hoy|ahora|actualmente)(?!\p{L})|現在|目前|如今/u;
/** A goal or a habit stands in the profile as such: «notre objectif est le zéro déchet d'ici 2030». */
const striving =
  /(?<!\p{L})(?:objectifs?|vis(?:ons|e)|engage\w*|goals?|targets?|committed|objetivos?|metas?|compromet\w+)(?!\p{L})|目標|承諾/u;
const figures =
  /(?<!\p{L})(?:effectifs?|salaries?|employe\w*|personnes|collaborateurs?|chiffre d'affaires|ca|headcount|employees|staff|people|revenue|turnover|plantilla|emplead[oa]s|trabajador\w*|personas|facturacion|ingresos)(?!\p{L})|員工|營業額|營收|人/u;

/** «3,5 M FCFA par mois»: the profile has the revenue of a year, which nobody works out for the person. */
const revenueOfLess =
  /(?=.*(?<!\p{L})(?:chiffre d'affaires|ca|recettes|revenue|turnover|facturacion|ingresos|facturamos)(?!\p{L})).*(?:(?:par|chaque|per|an?|each|every|al|por|cada) (?:mois|jour|semaine|trimestre|month|day|week|quarter|mes|dia|semana)|\/ ?(?:mois|jour|semaine|trimestre|month|mes)|mensuel\w*|monthly|quarterly|mensual\w*)(?!\p{L})|每(?:個?月|季|天).*(?:營業額|營收)|月營(?:業額|收)/u;

/** Whether a folded clause says only when: «en 2022,», «last year,». What follows it is of that time. */
export const isTimeAlone = (clause: string): boolean =>
  clause.length <= 40 &&
  /,\s*$/.test(clause) &&
  (inYear.test(clause) || otherTime.test(clause)) &&
  !present.test(clause);

export const isOfNow = (clause: string): boolean => nowadays.test(clause);

/** Whether a folded clause says what was, what will be, who is there for a while or what a month brings, and not what is. */
export function isOfAnotherTime(clause: string): boolean {
  if (striving.test(clause)) return figures.test(clause);
  if (otherTime.test(clause) || revenueOfLess.test(clause)) return true;
  return inYear.test(clause) && !present.test(clause) && !founding.test(clause);
}
