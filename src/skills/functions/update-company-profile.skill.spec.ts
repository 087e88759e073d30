import { addedPoints } from './update-company-profile.skill.js';

it.each([
  [['tri des déchets'], ['Tri des dechets.', 'séchage solaire'], ['tri des déchets', 'séchage solaire']],
  [[], ['Tri des déchets', 'tri des déchets'], ['Tri des déchets']],
  [['a'], [], ['a']],
  [['-20 % de gasoil'], ['-30 % de gasoil'], ['-20 % de gasoil', '-30 % de gasoil']],
])('adds to %j of %j what is new', (known, stated, all) => {
  expect(addedPoints(known, stated)).toEqual(all);
});
