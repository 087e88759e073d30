import type { Wording } from './wording.js';

const scopeNames = { 1: '範疇一', 2: '範疇二', 3: '範疇三' } as const;

export const traditionalChinese: Wording = {
  language: 'zh-Hant',
  units: {
    kWh: 'kWh',
    MWh: 'MWh',
    litre: '公升',
    m3: '立方公尺',
    kg: '公斤',
    tonne: '公噸',
    km: '公里',
    passenger_km: '延人公里',
    tonne_km: '延噸公里',
    night: '晚',
  },
  categories: {
    electricity: '電力',
    fuel: '燃料',
    fuel_upstream: '燃料的生產與運送',
    owned_vehicle: '自有車輛',
    business_travel: '商務差旅',
    freight: '貨運',
    waste: '廢棄物',
    water: '用水',
    refrigerant: '冷媒與絕緣氣體',
    direct_gas: '直接排放的氣體',
    material: '採購材料',
    food: '採購的食品與農產品',
  },
  scopes: { 1: '直接排放', 2: '外購電力', 3: '其他間接排放' },
  gaps: {
    processes: '工業製程、畜牧、土壤與肥料',
    services: '採購服務',
    capital_goods: '建築、機器與其他資本財',
    commuting: '員工通勤',
    sold_products: '售出產品的運輸、使用與廢棄',
    investments: '投資與租賃資產',
  },
  approximation: (country, usedIn) =>
    usedIn
      ? `採用其他國家（${country}）的係數，作為${usedIn}的近似值`
      : `採用其他國家（${country}）的係數作為近似值`,
  world: '全球',
  total: ({ total, scopes, period }) => {
    const title = `碳足跡${period ? `（${period}）` : ''}`;
    if (scopes.length === 0) return `${title}：範疇一、二、三均無可計入的項目。`;
    const inScopes = scopes.map(({ scope, amount }) => `${scopeNames[scope]} ${amount}`);
    const split =
      scopes.length > 1 ? `其中${inScopes.join('、')}` : `全屬${scopeNames[scopes[0]?.scope ?? 1]}`;
    return `${title}：${total}，${split}。`;
  },
  outsideKyoto: (amount, list) =>
    `另行申報、不計入總量：${amount}（${list}），因蒙特婁議定書氣體不屬於京都議定書氣體。`,
  biggest: ({ label, quantity, amount, share }) =>
    `最大的項目是${label}（${quantity}）：${amount}，占總量 ${share}。`,
  source: (name, edition, dataYear) =>
    dataYear ? `${name} ${edition} 年版（${dataYear} 年數據）` : `${name} ${edition} 年版`,
  sources: (list) => `係數來源：${list}。`,
  limits: (list) => `請注意：${list.join('；')}。`,
  notCounted: (list) => `未計入${list.join('、')}`,
  nothing: (reasons) => `沒有任何項目可以計算：${reasons}。`,
  line: ({ label, quantity, factor, amount, scope, year }) =>
    `${label}：${quantity} × ${factor} = ${amount}（${scope ? scopeNames[scope] : '範疇外'}${year ? `，${year} 年數據` : ''}）`,
  inCountry: (label, country) => `${country}${label}`,
  upstream: (label) => `${label}（生產與運送）`,
  withReason: (label, reason) => `${label}（${reason}）`,
  caveats: {
    proxy_geography: ({ country, usedIn }, { country: name }) =>
      `部分係數來自${name(country)}，此處僅為近似值${usedIn ? `（${name(usedIn)}）` : ''}`,
    grid_average: () => '用電以該國平均發電係數計算，不含線路損失、燃料上游排放與自備發電機',
    grid_differs: ({ country, value, otherValue, otherYear }, { number, country: name }) =>
      `${name(country)}電力係數的兩個版本相差超過 20%（${number(value)} 與 ${otherYear} 年的 ${number(otherValue)} kgCO2e/kWh）`,
    grid_old: ({ country, year }, { country: name }) => `${name(country)}最新公布的電力係數為 ${year} 年`,
    secondary_source: () => '有一項係數取自二手資料，查證前請核對原始文件',
    co2_only: () => '有一項燃料係數僅含 CO2，不含 CH4 與 N2O',
    biogenic_apart: () => '生質燃料僅計 CH4 與 N2O；其 CO2 另行申報於範疇之外，且僅在林木再生時才屬中和',
    net_calorific: () => '燃料的 kWh 以淨熱值計算',
    warming_potential: ({ set }) => `氣體以 IPCC ${set} 的百年暖化潛勢換算`,
    one_passenger: () => '大眾運輸與航空里程以一名乘客計算',
    upstream_left_out: () => '不含燃料的生產與運送（範疇三）',
    upstream_unknown: () => '有一項燃料在此單位下沒有生產與運送的係數',
    fuel_is_better: () => '行駛里程以英國車隊推估；若知道實際用油量，結果更可靠',
    radiative_forcing: () => '航班已計入高空效應（輻射驅動力）',
    open_dump: () => '掩埋係數以受管理的掩埋場為準，露天堆置的排放可能更高',
    montreal_gas: () => 'R22、R12 與 R123 屬蒙特婁議定書氣體，須與京都議定書氣體分開申報，不計入各範疇與總量',
    world_average: () => '食品係數為 2010 年全球平均，差異很大，適用於採購的產品，不適用於自有農地與牲畜',
    counted_twice: () => '同時提供了燃料與里程，請勿重複計算同一車輛',
    profile_country: ({ country }, { country: name }) =>
      `未說明國家，因此採用公司資料中的國家（${name(country)}）`,
  },
  refusals: {
    unknown_activity: () => '沒有這項活動',
    bad_quantity: () => '數量必須大於零且不超過 10¹²',
    wrong_unit: ({ units }, { list, unit }) => `單位不適用，可用單位：${list(units.map(unit))}`,
    country_needed: () => '需要指明國家',
    no_grid_factor: () => '沒有這個國家的電力係數',
    zero_grid_factor: () => '公布的係數為 0，這是資料缺漏，並非零排放的電力',
    no_country_factor: ({ country, countries }, { list, country: name }) =>
      `沒有${name(country)}的係數；現有：${list(countries.map(name))}`,
    no_factor: () => '沒有公開來源提供係數，請向供應商索取',
  },
};
