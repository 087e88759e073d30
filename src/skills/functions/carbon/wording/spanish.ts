import type { Wording } from './wording.js';

export const spanish: Wording = {
  language: 'es',
  units: {
    kWh: 'kWh',
    MWh: 'MWh',
    litre: ['litro', 'litros'],
    m3: 'm³',
    kg: 'kg',
    tonne: ['tonelada', 'toneladas'],
    km: 'km',
    passenger_km: ['pasajero-km', 'pasajeros-km'],
    tonne_km: ['tonelada-km', 'toneladas-km'],
    night: ['noche', 'noches'],
  },
  categories: {
    electricity: 'electricidad',
    fuel: 'combustibles quemados',
    fuel_upstream: 'producción y entrega de combustibles',
    owned_vehicle: 'vehículos propios',
    business_travel: 'viajes de trabajo',
    freight: 'transporte de mercancías',
    waste: 'residuos',
    water: 'agua',
    refrigerant: 'refrigerantes y gases aislantes',
    direct_gas: 'gases emitidos',
    material: 'materiales comprados',
    food: 'alimentos y productos agrícolas comprados',
  },
  scopes: { 1: 'emisiones directas', 2: 'electricidad comprada', 3: 'otras emisiones indirectas' },
  gaps: {
    processes: 'procesos industriales, ganado, suelos y fertilizantes',
    services: 'servicios comprados',
    capital_goods: 'edificios, máquinas y otros bienes de capital',
    commuting: 'desplazamientos de los empleados al trabajo',
    sold_products: 'transporte, uso y fin de vida de lo vendido',
    investments: 'inversiones y activos arrendados',
  },
  approximation: (country, usedIn) =>
    usedIn
      ? `factor de otro país (${country}), usado como aproximación para ${usedIn}`
      : `factor de otro país (${country}), usado como aproximación`,
  world: 'mundo',
  total: ({ total, scopes, period }, { list }) => {
    const title = `Huella de carbono${period ? ` (${period})` : ''}`;
    if (scopes.length === 0) return `${title}: nada que contar en los alcances 1, 2 y 3.`;
    const inScopes = scopes.map(({ scope, amount }) => `${amount} en el alcance ${scope}`);
    const split =
      scopes.length > 1 ? `de los cuales ${list(inScopes)}` : `todo en el alcance ${scopes[0]?.scope}`;
    return `${title}: ${total}, ${split}.`;
  },
  outsideKyoto: (amount, list) =>
    `Se declara aparte, fuera del total: ${amount} (${list}), porque los gases del Protocolo de Montreal no son gases de Kioto.`,
  biggest: ({ label, quantity, amount, share }) =>
    `La mayor partida es ${label} (${quantity}): ${amount}, el ${share} del total.`,
  source: (name, edition, dataYear) =>
    dataYear ? `${name} ${edition} (datos de ${dataYear})` : `${name} ${edition}`,
  sources: (list) => `Factores: ${list}.`,
  limits: (list) => `A tener en cuenta: ${list.join('; ')}.`,
  notCounted: (list) => `fuera del cálculo, ${list.join(', ')}`,
  nothing: (reasons) => `No se ha podido contar nada: ${reasons}.`,
  line: ({ label, quantity, factor, amount, scope, year }) =>
    `${label}: ${quantity} × ${factor} = ${amount} (${scope ? `alcance ${scope}` : 'fuera de los alcances'}${year ? `, datos de ${year}` : ''})`,
  inCountry: (label, country) => `${label}, ${country}`,
  upstream: (label) => `${label} (producción y entrega)`,
  withReason: (label, reason) => `${label} (${reason})`,
  caveats: {
    proxy_geography: ({ country, usedIn }, { country: name }) =>
      `algunos factores describen otro país (${name(country)}) y aquí sirven de aproximación${usedIn ? ` (${name(usedIn)})` : ''}`,
    grid_average: () =>
      'la electricidad se cuenta con la media de generación del país, sin pérdidas de red, sin el origen de los combustibles y sin grupos electrógenos',
    grid_differs: ({ country, value, otherValue, otherYear }, { number, country: name }) =>
      `las dos ediciones del factor eléctrico difieren en más del 20 % (${name(country)}: ${number(value)} frente a ${number(otherValue)} kgCO2e/kWh en ${otherYear})`,
    grid_old: ({ country, year }, { country: name }) =>
      `el último factor eléctrico publicado es de ${year} (${name(country)})`,
    secondary_source: () =>
      'un factor se ha leído en una fuente secundaria: conviene comprobarlo en el original antes de una auditoría',
    co2_only: () => 'un factor de combustible cubre solo el CO2, sin CH4 ni N2O',
    biogenic_apart: () =>
      'de la biomasa solo se cuentan CH4 y N2O; su CO2 se declara fuera de los alcances y solo es neutro si la madera vuelve a crecer',
    net_calorific: () => 'los kWh de combustible se toman en poder calorífico inferior (PCI)',
    warming_potential: ({ set }) =>
      `los gases se convierten con los potenciales de calentamiento a 100 años del IPCC (${set})`,
    one_passenger: () => 'los kilómetros en transporte público o avión se cuentan para un solo pasajero',
    upstream_left_out: () => 'no se incluyen la producción y la entrega de los combustibles (alcance 3)',
    upstream_unknown: () =>
      'no hay factor para la producción y la entrega de uno de los combustibles en esta unidad',
    fuel_is_better: () =>
      'los kilómetros suponen un parque de vehículos británico: el combustible realmente consumido es más fiable si se conoce',
    radiative_forcing: () =>
      'los vuelos incluyen el efecto de la altitud en el clima (forzamiento radiativo)',
    open_dump: () =>
      'los factores suponen un vertedero controlado; un vertedero a cielo abierto puede emitir más',
    montreal_gas: () =>
      'los R22, R12 y R123 pertenecen al Protocolo de Montreal y se declaran aparte de los gases de Kioto, fuera de los alcances y del total',
    world_average: () =>
      'los factores de alimentos son medias mundiales de 2010, muy dispersas, para productos comprados y no para campos y rebaños propios',
    counted_twice: () =>
      'se dan a la vez combustible y kilómetros: no hay que contar dos veces los mismos vehículos',
    profile_country: ({ country }, { country: name }) =>
      `no se indicó ningún país: se tomó el del perfil de la empresa (${name(country)})`,
  },
  refusals: {
    unknown_activity: () => 'no se conoce esa actividad',
    bad_quantity: () => 'la cantidad debe ser mayor que cero y como máximo 10¹²',
    wrong_unit: ({ units }, { list, unit }) =>
      `la unidad no sirve; unidades posibles: ${list(units.map(unit))}`,
    country_needed: () => 'falta el país',
    no_grid_factor: () => 'no hay factor de electricidad para ese país',
    zero_grid_factor: () =>
      'el factor publicado es 0, lo que es una laguna de los datos y no una electricidad sin emisiones',
    no_country_factor: ({ country, countries }, { list, country: name }) =>
      `no hay factor para ${name(country)}; países conocidos: ${list(countries.map(name))}`,
    no_factor: () => 'ninguna fuente abierta da un factor; hay que pedirlo al proveedor',
  },
};
