import { fold } from '@palabre/lexical';

import { purposes, type Purpose, sectors, type Sector } from './financing-data.js';

/** What people say they do, beyond the sectors that programmes name. */
export const otherSectors = [
  'fishing',
  'real-estate',
  'commerce',
  'construction',
  'mining',
  'textile',
  'technology',
] as const;
export type AnySector = Sector | (typeof otherSectors)[number];

/** Stems in French, English, Spanish and Chinese, without accents. */
const sectorWords: Readonly<Record<AnySector, RegExp>> = {
  agriculture:
    /agricol|agricult|agropastor|\bfarm|elevage|livestock|maraich|horticult|ganader|avicol|avicult|cacao|cafe\b|karite|anacarde|农|農|畜牧/,
  'agro-industry':
    /agro-? ?(?:aliment|industr|process|business|transform)|agribusiness|industrie alimentaire|transform\w* (?:de |des |du |d')?(?:fruit|produits agricoles|cereale|alimentaire|cacao|karite|anacarde|mangue|lait)|food (?:process|industr|and bev)|alimentari|食品|農產加工|農業加工/,
  forestry: /forest|foret|sylvic|silvicult|reboise|林業|森林/,
  energy:
    /energ|solair|\bsolar|electricite|electricity|electricidad|photovolt|mini-?grid|biogas|能源|太陽能|光電|電力/,
  water: /\beaux?\b|\bwater\b|\bagua\b|hydraul|assainiss|sanitation|saneamiento|水務|用水|供水/,
  waste: /dechet|\bwaste|recycl|residuo|reciclaj|ordures|廢棄物|回收/,
  industry:
    /industri(?!e alimentaire)|manufactur|fabricat|fabrica\b|\busine|metallurg|chimi(?:e|que)|製造|工業/,
  buildings: /batiment|\bbuildings?\b|edificio|edificacion|建築/,
  infrastructure: /infrastruct|infraestruct|travaux publics|public works|obras publicas|基礎設施/,
  logistics: /logisti|transport|\bfret\b|freight|livraison|物流|運輸/,
  telecom: /telecom|電信/,
  services: /\bservices?\b|servicios?\b|conseil|consult|consejo|asesor|服務|顧問/,
  hotels: /hotel|hebergement|hosteler|hospitality|tourism|turism|restaurat|飯店|旅館|旅遊/,
  ecotourism: /eco-?touris|ecoturis|生態旅遊/,
  education: /educat|educac|enseign|ecole|school|escuela|\bformation|training|教育/,
  health: /\bsante|health|salud|pharma|farma|medica|hospital|hopital|clini|醫療|健康/,
  'financial-services': /microfinanc|banque|\bbank|banca\b|assurance|insuranc|seguros|fintech|金融|銀行|保險/,
  fishing: /\bpeche|\bfish|\bpesca|pesquer|aquacult|acuicult|漁業|養殖/,
  'real-estate': /immobili|real[ -]estate|inmobiliari|不動產|房地產/,
  commerce: /commerc|comerci|\bretail|distribution|\btrade\b|negoce|\btienda|\bboutique|零售|商業|貿易/,
  construction: /construc|\bbtp\b|genie civil|civil engineering|營建|營造/,
  mining: /\bmin(?:es?|ier|iere|ing|ero|era|eria)\b|carriere|quarr|採礦|礦業/,
  textile: /textil|confection|couture|garment|apparel|cotton|coton|vetement|紡織|成衣/,
  technology: /informati|logiciel|software|numeri|digital|\btech\b|start-?up tech|資訊|軟體|科技/,
};

const purposeWords: Readonly<Record<Purpose, RegExp>> = {
  'renewable-energy':
    /renouvel|renewab|renovab|solair|\bsolar|photovolt|\bpv\b|eolien|\bwind\b|eolic|hydroelec|hydropower|biogas|biogaz|biomass|mini-?grid|mini-?reseau|再生能源|太陽能|光電|風力|沼氣/,
  'energy-efficiency':
    /efficacite energ|energy[ -]efficien|eficiencia energ|economies? d.energie|energy sav|ahorro energ|isolation|insulation|aislamiento|\bled\b|eclairage|lighting|iluminacion|audit energ|energy audit|節能|能源效率/,
  'clean-cooking': /cuisson|foyers? amelior|clean cook|cookstove|cocina|烹飪|爐具/,
  'waste-circular': /dechet|\bwaste|recycl|residuo|reciclaj|compost|廢棄物|回收/,
  'circular-economy': /circulair|circular|reemploi|reuse|reutiliz|循環/,
  water: /\beaux?\b|\bwater\b|\bagua\b|irrigat|irrigac|forage|borehole|assainiss|sanitation|水資源|灌溉|用水/,
  pollution: /pollut|contaminac|depollu|污染/,
  chemicals: /chimique|chemical|quimic|pesticid|化學/,
  biodiversity: /biodivers|nature\b|naturaleza|wildlife|faune|生物多樣/,
  forestry: /forest|foret|reboise|agroforest|plantation d.arbre|reforest|森林|造林/,
  'land-degradation':
    /degradation des (?:terres|sols)|land degrad|restauration des (?:terres|sols)|land restor|desertif|degradacion|suelo|土地退化/,
  'sustainable-agriculture': /agricultur|agroecolog|agroforest|\bfarm|cultures? bio|organic|sequia|農業|農作/,
  'climate-adaptation':
    /adaptat|adaptac|resilien|secheresse|drought|inondation|flood|sequia|inundac|irrigat|調適|韌性|乾旱|洪水/,
  'climate-mitigation':
    /attenuat|mitigat|mitigac|decarbon|descarbon|bas[ -]carbone|low[ -]carbon|emissions?\b|減碳|減排|減緩/,
  'climate-finance-readiness': /readiness|acces (?:a la )?finance climat|preparation a la finance/,
  'green-investment':
    /(?:projet|investissement|obligation|equipement)s? verte?s?|green (?:project|invest|bond|equipment)|(?:proyecto|inversion)\w* verde|綠色(?:投資|債券|專案)/,
  'sme-finance':
    /tresorerie|fonds de roulement|working capital|capital de trabajo|garantie de pret|loan guarantee|croissance|growth capital|週轉金|周轉金|營運資金/,
  gender: /femme|women|woman|mujer|genre|gender|婦女|女性/,
  employment: /emplois?\b|\bjobs?\b|employment|empleo|就業/,
  impact: /impact|impacto|影響力/,
};

function found<Code extends string>(
  codes: readonly Code[],
  words: Readonly<Record<Code, RegExp>>,
  text: string,
): Code[] {
  const folded = fold(text);
  const stated = codes.find((code) => code === folded.trim());
  return stated ? [stated] : codes.filter((code) => words[code].test(folded));
}

/** The sectors that a text speaks of; none where it is not understood. */
export function sectorsIn(text: string): AnySector[] {
  return found<AnySector>([...sectors, ...otherSectors], sectorWords, text);
}

/** What a text wants paid for; none where it is not understood. */
export function purposesIn(text: string): Purpose[] {
  return found(purposes, purposeWords, text);
}

/** A sector that is part of another. */
const partOf: Partial<Record<AnySector, readonly Sector[]>> = {
  'agro-industry': ['industry'],
  textile: ['industry'],
  mining: ['industry'],
  hotels: ['services'],
  ecotourism: ['services', 'hotels'],
  education: ['services'],
  health: ['services'],
  'financial-services': ['services'],
  logistics: ['services'],
  telecom: ['services'],
  technology: ['services'],
  construction: ['buildings'],
};

/** A sector close enough to another that the programme has to be asked. */
const akinTo: Partial<Record<AnySector, readonly Sector[]>> = {
  agriculture: ['agro-industry', 'forestry'],
  'agro-industry': ['agriculture'],
  forestry: ['agriculture'],
  fishing: ['agriculture', 'agro-industry'],
  commerce: ['services'],
  construction: ['infrastructure'],
  buildings: ['infrastructure'],
  waste: ['services', 'industry'],
  water: ['infrastructure'],
};

export function countsAs(sector: AnySector, named: string): boolean {
  return sector === named || (partOf[sector]?.some((whole) => whole === named) ?? false);
}

export function isAkin(sector: AnySector, named: string): boolean {
  return akinTo[sector]?.some((other) => other === named) ?? false;
}

/** What a broad purpose includes. */
const includes: Partial<Record<Purpose, readonly Purpose[]>> = {
  'climate-mitigation': [
    'renewable-energy',
    'energy-efficiency',
    'clean-cooking',
    'waste-circular',
    'circular-economy',
    'forestry',
  ],
  'climate-adaptation': ['water', 'sustainable-agriculture', 'land-degradation'],
  'waste-circular': ['circular-economy'],
  'circular-economy': ['waste-circular'],
  'land-degradation': ['forestry', 'sustainable-agriculture'],
  'green-investment': purposes.filter(
    (purpose) => !['sme-finance', 'gender', 'employment', 'impact'].includes(purpose),
  ),
};

export function includesPurpose(broad: Purpose, narrow: Purpose): boolean {
  return includes[broad]?.includes(narrow) ?? false;
}

/** Finance for companies of every kind: what it may be spent on has to be asked. */
export function isGeneral(purpose: Purpose): boolean {
  return purpose === 'sme-finance' || purpose === 'impact';
}
