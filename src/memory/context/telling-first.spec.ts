import { tellingFirst } from './telling-first.js';

function textsOf(...texts: string[]): { text: string }[] {
  return texts.map((text) => ({ text }));
}
const topics = ['roof', 'windows', 'heating', 'kitchen', 'drains', 'stairs', 'bricks', 'invoice'];
const project = textsOf(
  ...Array.from({ length: 60 }, (_, at) => `Kestrel: the ${topics[at % 8]}, to be gone through by Monday.`),
);

it('says last what many others say too', () => {
  const others = textsOf(
    'Surgery of the knee postponed to autumn.',
    'Our lurcher boards with Jan at 22 pounds.',
  );
  const [surgery, lurcher] = others;
  const told = tellingFirst([...project.slice(0, 30), surgery!, ...project.slice(30), lurcher!]);
  expect(told).toEqual([...others, ...project]);
});

it('keeps the order of what is about different things, and of what is all alike', () => {
  const different = textsOf(
    'Glaze of the kiln',
    'Passport expires in June',
    'Rent is 390 a month',
    'Plotter jams',
  );
  expect(tellingFirst(different)).toEqual(different);
  expect(tellingFirst(project)).toEqual(project);
  expect(tellingFirst([])).toEqual([]);
});
