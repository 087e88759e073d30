import type { Wording } from './wording.js';

export const french: Wording = {
  language: 'fr',
  units: {
    kWh: 'kWh',
    MWh: 'MWh',
    litre: ['litre', 'litres'],
    m3: 'm³',
    kg: 'kg',
    tonne: ['tonne', 'tonnes'],
    km: 'km',
    passenger_km: ['passager-km', 'passagers-km'],
    tonne_km: ['tonne-km', 'tonnes-km'],
    night: ['nuitée', 'nuitées'],
  },
  categories: {
    electricity: 'électricité',
    fuel: 'combustibles brûlés',
    fuel_upstream: 'production et livraison des combustibles',
    owned_vehicle: 'véhicules de l’entreprise',
    business_travel: 'déplacements professionnels',
    freight: 'fret',
    waste: 'déchets',
    water: 'eau',
    refrigerant: 'fluides frigorigènes et gaz isolants',
    direct_gas: 'gaz rejetés',
    material: 'matériaux achetés',
    food: 'produits alimentaires et agricoles achetés',
  },
  scopes: { 1: 'émissions directes', 2: 'électricité achetée', 3: 'autres émissions indirectes' },
  gaps: {
    processes: 'procédés industriels, élevage, sols et engrais',
    services: 'services achetés',
    capital_goods: 'bâtiments, machines et autres immobilisations',
    commuting: 'trajets domicile-travail',
    sold_products: 'transport, usage et fin de vie de ce qui est vendu',
    investments: 'investissements et actifs loués',
  },
  approximation: (country, usedIn) =>
    usedIn
      ? `facteur d’un autre pays (${country}), approximation pour : ${usedIn}`
      : `facteur d’un autre pays (${country}), pris comme approximation`,
  world: 'monde',
  total: ({ total, scopes, period }, { list }) => {
    const title = `Empreinte carbone${period ? ` (${period})` : ''}`;
    if (scopes.length === 0) return `${title} : rien à compter en scopes 1, 2 et 3.`;
    const inScopes = scopes.map(({ scope, amount }) => `${amount} en scope ${scope}`);
    const split = scopes.length > 1 ? `dont ${list(inScopes)}` : `tout en scope ${scopes[0]?.scope}`;
    return `${title} : ${total}, ${split}.`;
  },
  outsideKyoto: (amount, list) =>
    `À déclarer à part, hors total : ${amount} (${list}), car les gaz du protocole de Montréal ne sont pas des gaz de Kyoto.`,
  biggest: ({ label, quantity, amount, share }) =>
    `Premier poste : ${label} (${quantity}), ${amount}, soit ${share} du total.`,
  source: (name, edition, dataYear) =>
    dataYear ? `${name} ${edition} (données ${dataYear})` : `${name} ${edition}`,
  sources: (list) => `Facteurs : ${list}.`,
  limits: (list) => `À savoir : ${list.join(' ; ')}.`,
  notCounted: (list) => `hors calcul, ${list.join(', ')}`,
  nothing: (reasons) => `Rien n’a pu être compté : ${reasons}.`,
  line: ({ label, quantity, factor, amount, scope, year }) =>
    `${label} : ${quantity} × ${factor} = ${amount} (${scope ? `scope ${scope}` : 'hors scopes'}${year ? `, données ${year}` : ''})`,
  inCountry: (label, country) => `${label}, ${country}`,
  upstream: (label) => `${label} (production et livraison)`,
  withReason: (label, reason) => `${label} (${reason})`,
  caveats: {
    proxy_geography: ({ country, usedIn }, { country: name }) =>
      `certains facteurs décrivent un autre pays (${name(country)}) et servent ici d’approximation${usedIn ? ` (${name(usedIn)})` : ''}`,
    grid_average: () =>
      'l’électricité est comptée à la moyenne de production du pays, hors pertes du réseau, amont des combustibles et groupes électrogènes',
    grid_differs: ({ country, value, otherValue, otherYear }, { number, country: name }) =>
      `les deux éditions du facteur électrique diffèrent de plus de 20 % (${name(country)} : ${number(value)} contre ${number(otherValue)} kgCO2e/kWh pour ${otherYear})`,
    grid_old: ({ country, year }, { country: name }) =>
      `le dernier facteur électrique publié date de ${year} (${name(country)})`,
    secondary_source: () =>
      'un facteur a été lu dans une source secondaire : à vérifier dans l’original avant un audit',
    co2_only: () => 'un facteur de combustible ne couvre que le CO2, sans CH4 ni N2O',
    biogenic_apart: () =>
      'pour la biomasse, seuls CH4 et N2O sont comptés ; son CO2 se déclare hors scopes et n’est neutre que si le bois repousse',
    net_calorific: () => 'les kWh de combustible sont pris en pouvoir calorifique inférieur (PCI)',
    warming_potential: ({ set }) =>
      `les gaz sont convertis avec les potentiels de réchauffement à 100 ans du GIEC (${set})`,
    one_passenger: () =>
      'les kilomètres en transport collectif ou en avion sont comptés pour un seul passager',
    upstream_left_out: () => 'la production et la livraison des carburants (scope 3) ne sont pas comprises',
    upstream_unknown: () =>
      'aucun facteur pour la production et la livraison d’un des combustibles dans cette unité',
    fuel_is_better: () =>
      'les kilomètres supposent un parc de véhicules britannique : le carburant réellement consommé est plus sûr quand on le connaît',
    radiative_forcing: () => 'les vols comprennent l’effet de l’altitude sur le climat (forçage radiatif)',
    open_dump: () =>
      'les facteurs supposent une décharge contrôlée ; une décharge sauvage peut émettre davantage',
    montreal_gas: () =>
      'les R22, R12 et R123 relèvent du protocole de Montréal et se déclarent à part des gaz de Kyoto, hors scopes et hors total',
    world_average: () =>
      'les facteurs alimentaires sont des moyennes mondiales de 2010, très dispersées, pour des produits achetés et non pour ses propres champs et troupeaux',
    counted_twice: () =>
      'du carburant et des kilomètres sont donnés à la fois : ne pas compter deux fois les mêmes véhicules',
    profile_country: ({ country }, { country: name }) =>
      `aucun pays n’était précisé : celui du profil de l’entreprise a été pris (${name(country)})`,
  },
  refusals: {
    unknown_activity: () => 'cette activité n’est pas connue',
    bad_quantity: () => 'la quantité doit être positive et au plus égale à 10¹²',
    wrong_unit: ({ units }, { list, unit }) =>
      `l’unité ne convient pas ; unités possibles : ${list(units.map(unit))}`,
    country_needed: () => 'il faut préciser le pays',
    no_grid_factor: () => 'aucun facteur d’électricité n’est disponible pour ce pays',
    zero_grid_factor: () =>
      'le facteur publié vaut 0, ce qui est un manque de données et non une électricité sans émissions',
    no_country_factor: ({ country, countries }, { list, country: name }) =>
      `aucun facteur pour ${name(country)} ; pays connus : ${list(countries.map(name))}`,
    no_factor: () => 'aucune source ouverte ne donne de facteur ; le demander au fournisseur',
  },
};
