import type { EsgWording, PillarFacts } from './wording.js';

const pillarsOf = (pillars: readonly PillarFacts[]): string =>
  pillars
    .map(
      ({ title, score, coverage }) => `${title} ${score === null ? '–' : `${score}/100`}（已答 ${coverage}）`,
    )
    .join('、');

export const traditionalChinese: EsgWording = {
  language: 'zh-Hant',
  yes: '是',
  no: '否',
  amounts: {
    percent: (amount) => `${amount}%`,
    deaths: (amount) => `${amount} 人死亡`,
    hours_per_employee_year: (amount) => `每人每年 ${amount} 小時`,
  },
  expectedYesNo: '是或否',
  expectedAmounts: {
    percent: '百分比',
    deaths: '死亡人數',
    hours_per_employee_year: '每人每年時數',
  },
  expectedLevels: (levels) => levels.map((level, index) => `${index} = ${level}`).join('；'),
  scored: ({ score, grade, coverage, pillars }) =>
    `ESG 評分：${score}/100（${grade}），已回答 ${coverage} 的項目：${pillarsOf(pillars)}。`,
  notScored: ({ coverage, needed, pillars }) =>
    `尚無 ESG 總分：已回答 ${coverage} 的項目，每個面向須達 ${needed}；目前${pillarsOf(pillars)}。`,
  nothing: '尚無 ESG 評分：沒有任何項目已回答。',
  betterLevel: (level) => `目標：${level}`,
  betterAmount: (target, now) => `目標為${target}（目前${now}）`,
  notes: {
    design_choice: () =>
      '問題、門檻、權重與產業係數是設計上的選擇，並非任何標準所定；只有代碼（VSME、GRI、IFC、ISO 26000、SDG）對應各項框架。',
    self_declared: () => '評分依據公司自行回答，未經任何人查證。',
    minimum_coverage: ({ needed }) =>
      `每個面向的權重須有 ${needed} 已回答才有總分，以免某一面向僅憑少數回答。`,
    sector_from_profile: ({ sector }) => `依公司資料採用${sector}產業的權重。`,
    sector_unknown: ({ sectors }) => `產業不明，未套用產業係數。有專屬權重的產業：${sectors}。`,
    not_applicable: ({ titles }) => `因不適用而排除：${titles}。`,
  },
};
