const capitalised = "\\p{Lu}[\\p{L}'’-]+(?:[ -]\\p{Lu}[\\p{L}'’-]+){0,3}";

const weAre = "(?:[Nn]ous sommes|[Jj]e dirige|[Ss]omos|[Dd]irijo|[Ww]e(?: are|'re)|I run) (?:une?|una?|an?)";
const business =
  '(?:petite |pequeña )?(?:PME|pme|TPE|tpe|entreprise|société|coopérative|start-?up|empresa|pyme|PYME|compañía|cooperativa)';

/** How a company's trade is said in one word; other adjectives (familiale, sénégalaise) name no sector. */
const trades =
  'agro-?alimentaire|agricole|textile|industrielle|minière|touristique|hôtelière|informatique|pharmaceutique|cosmétique|logistique|artisanale|forestière|énergétique|' +
  'agroalimentaria|agrícola|textil|industrial|minera|turística|hotelera|informática|farmacéutica|cosmética|logística|artesanal|forestal|constructora|pesquera';
const wordsAfterTrade =
  "(?=\\s(?:de|d'|du|des|à|au|aux|en|avec|con|basée|située|implantée|qui|que|con sede)(?![\\p{L}])|[.,;:!?\\n]|$)";
/** What is said of a company's size and age before its trade in English. */
const notATrade =
  '(?:small|family|local|young|medium|medium-sized|large|big|private|limited|new|growing|public)';

/** Behind «pour», «para», «for»: whom something is for, and for how long. */
const notNeeded =
  "(?:(?:une?|des|les?|la|l'|notre|nos|mon|ma|mes|una?|unos|unas|el|los|las|nuestr[oa]s?|mi|mis|an?|the|our|my) ?)?" +
  '(?:petite |small |pequeña |[\\p{L}-]+ )?' +
  `(?:${business}|company|compan(?:y|ies)|business|firm|SMEs?|PMEs|entreprises|empresas|pymes|concurrente?|client|cliente|fournisseur|competitor|competidor|customer|supplier|nous|vous|moi|nosotros|usted|mí|us|me|you|ans?|année|mois|semaine|jour|year|month|week|año|mes|semana|día|(?:\\d+))(?![\\p{L}])`;

/** How people state what a property holds, by what the property is about. Each gives the group `value`. */
export const statedPatterns: Readonly<Record<string, readonly RegExp[]>> = {
  city: [
    new RegExp(
      `(?:\\b(?:in|en|at|near)|(?<![\\p{L}])[àÀ]|\\b(?:située?s?|basée?s?|implantée?s?) a|位於|位在)\\s*(?<value>${capitalised})`,
      'gu',
    ),
    // «nous sommes une PME agroalimentaire de Thiès», «somos una empresa de Bogotá»
    new RegExp(`${weAre} [^.,;:!?\\n]{0,60}?\\s(?:de|from)\\s(?<value>${capitalised})`, 'gu'),
    /(?:位於|位在|在)(?<value>\p{Script=Han}{2,4}?)(?=[，。,、的]|市|$)/gu,
  ],
  sector: [
    /(?:dans|in|en) (?:le|the|el) (?:secteur|sector|domaine)(?: d'activité)? (?:de la |de l'|du |des |de |d'|del |of )?(?<value>[^.,;:!?\n]{3,60})/giu,
    /in the (?<value>[\p{L} -]{3,40}?) (?:sector|industry|business)\b/giu,
    // «pour une PME agricole au Sénégal»
    new RegExp(
      `\\b(?:pour|para|d') ?(?:une?|una?|notre|nuestra) ${business} (?<value>${trades})(?![\\p{L}])`,
      'gu',
    ),
    // «une PME agroalimentaire», «una empresa de construcción», «a farming company», «一家食品加工公司»
    new RegExp(`${weAre} ${business} (?<value>${trades})(?![\\p{L}])`, 'gu'),
    new RegExp(
      `${weAre} ${business} (?:de |d'|spécialisée dans (?:la |le |les |l')?|especializada en )(?<value>\\p{Ll}[\\p{L}'-]*(?: \\p{Ll}[\\p{L}'-]+){0,2}?)${wordsAfterTrade}`,
      'gu',
    ),
    new RegExp(
      `${weAre} (?:${notATrade} )*(?!${notATrade}\\b)(?<value>\\p{Ll}[\\p{L}-]+(?: \\p{Ll}[\\p{L}-]+)?) (?:company|business|firm|SME|cooperative|startup)\\b`,
      'gu',
    ),
    /(?:我們|本公司)是(?:一家|一間)?(?<value>(?!中小|小型|大型|新創|本地)\p{Script=Han}{2,8}?)(?:公司|企業|業者)/gu,
    /(?:nous (?:sommes|travaillons|opérons) dans|we (?:work|operate|are) in|(?:trabajamos|estamos) en) (?:l'|le |la |les |the |el )(?<value>\p{Ll}[^.,;:!?\n]{2,40})/giu,
  ],
  need: [
    /\b(?:pour|afin de) (?<value>(?:installer|acheter|acquérir|financer|équiper|construire|rénover|moderniser|remplacer|développer|planter|recycler|traiter|créer|réduire)\s[^.,;:!?\n]{3,100})/giu,
    /\bpara (?<value>(?:instalar|comprar|adquirir|financiar|equipar|construir|renovar|modernizar|sustituir|desarrollar|plantar|reciclar|tratar|crear|reducir)\s[^.,;:!?\n]{3,100})/giu,
    /\b(?:to|for) (?<value>(?:install|buy|acquire|finance|equip|build|renovate|modernise|replace|develop|plant|recycle|treat|create|reduce)(?:ing)?\s[^.,;:!?\n]{3,100})/giu,
    // «pour une usine de recyclage», «para paneles solares», «太陽能板的融資»: a thing, and not whose it is
    new RegExp(`\\b(?:pour|para|for) (?!${notNeeded})(?<value>\\p{Ll}[^.,;:!?\\n]{3,100})`, 'gu'),
    /(?:用於|為了)(?<value>\p{Script=Han}{2,20})/gu,
    /(?:為|替|給)?(?<value>(?!綠色|永續)\p{Script=Han}{2,12})的(?:綠色)?(?:融資|貸款|補助)/gu,
  ],
  period: [
    // «850 kWh pour 2 mois» too: of a month's and of two months' amounts the nearest says what they are of.
    /(?<value>(?:par|chaque) (?:an|mois|jour|sem(?:aine)?|trimestre|heure)\b|(?:an?|per|each|every) (?:year|month|week|day|quarter|hour)\b|(?:al|por|cada) (?:año|mes|semana|día|hora)(?!\p{L})|每(?:年|個?月|週|天|日|小時)|(?:pour|sur|en|pendant|tou(?:s|tes) les|for|over|in|every|durante|por|en|cada) \d{1,3} (?:mois|semaines|jours|trimestres|months|weeks|days|quarters|meses|semanas|días)(?!\p{L}))/giu,
    // «1 500 L/mois»
    /(?<value>\/\s?(?:an|mois|jour|sem(?:aine)?|trimestre|heure|h|month|year|week|hour|año|mes|semana|hora))(?!\p{L})/giu,
    /\b(?:en|in|for|pour|(?:bilan|empreinte)(?: carbone)?|huella(?: de carbono)?|footprint|año|year)\s+(?<value>(?:19|20)\d{2})(?!\d)/giu,
    /(?<value>(?:19|20)\d{2} ?年)/gu,
  ],
  name: [
    /(?:(?:entreprise|société|boîte|company|business|empresa|compañía)\s+(?:s'appelle|se nomme|is called|is named|se llama)|nous nous appelons|we are called|nos llamamos|公司(?:名稱)?(?:叫|是|為))\s*(?<value>[^.,;!?\n，。]{2,80})/giu,
  ],
};
