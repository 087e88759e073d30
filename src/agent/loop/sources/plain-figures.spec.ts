import { describe, expect, it } from '@jest/globals';

import { withPlainFigures } from './plain-figures.js';

describe('figures in plain digits', () => {
  it.each([
    ['1,234 人、84 000 kWh', '1234 人、84000 kWh'],
    ['贰拾伍万元整', '250000元整'],
    ['每月25 万元', '每月250000元'],
    ['12亿3,456万元', '1234560000元'],
    ['2,000 万度', '20000000度'],
    ['62万、3.5万', '620000、35000'],
    ['三千元、八千五百元、十四日', '3000元、8500元、14日'],
    ['一般规定三日', '一般规定三日'],
    ['2023 412 tonnes, 1.5 %', '2023 412 tonnes, 1.5 %'],
    ['五万', '50000'],
  ])('%j is %j', (text, plain) => {
    expect(withPlainFigures(text)).toBe(plain);
  });
});
