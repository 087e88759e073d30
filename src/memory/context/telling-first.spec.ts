import { tellingFirst } from './telling-first.js';

const topics = ['roof', 'windows', 'heating', 'kitchen', 'drains', 'stairs', 'bricks', 'invoice'];
const project = Array.from(
  { length: 60 },
  (_, at) => `Kestrel: the ${topics[at % 8]}, to be gone through by Monday.`,
);
function tell(texts: readonly string[]): string[] {
  return tellingFirst(texts, (text) => text);
}

it('says last what many others say too', () => {
  const others = ['Surgery of the knee postponed to autumn.', 'Our lurcher boards with Jan at 22 pounds.'];
  const [surgery, lurcher] = others;
  const told = tell([...project.slice(0, 30), surgery!, ...project.slice(30), lurcher!]);
  expect(told).toEqual([...others, ...project]);
});

it('keeps the order of what is about different things, and of what is all alike', () => {
  const different = ['Glaze of the kiln', 'Passport expires in June', 'Rent is 390 a month', 'Plotter jams'];
  expect(tell(different)).toEqual(different);
  expect(tell(project)).toEqual(project);
  expect(tell([])).toEqual([]);
});
