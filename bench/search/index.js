/**
 * What search costs: taking texts in, finding them (also while others are taken in), the size of the index, and
 * removing. On the database that DATABASE_URL names, in a new one that is dropped afterwards, or else on the embedded one.
 *
 *   npm run bench -- search [--quick] [--items 100000] [--others 100000] [--characters 880]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Corpus } from './corpus.js';
import { SearchBench } from './search-bench.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    items: { type: 'string' },
    others: { type: 'string' },
    characters: { type: 'string', default: '880' },
  },
});
const items = Number(values.items ?? (values.quick ? 5_000 : 100_000));
const others = Number(values.others ?? (values.quick ? 5_000 : 100_000));
const characters = Number(values.characters);

const format = (number) => number.toLocaleString('en', { maximumFractionDigits: 1 });
const say = (what, ...figures) => console.log(`${what.padEnd(46)} ${figures.join('  ')}`);
const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const timed = async (work) => {
  const begun = performance.now();
  const result = await work();
  return { seconds: (performance.now() - begun) / 1000, result };
};

const corpus = new Corpus(1);
await using bench = await SearchBench.start();
say('database', bench.kind);

const fill = async (companyId, count) => {
  const known = [];
  let putSeconds = 0;
  let takeSeconds = 0;
  for (let done = 0; done < count; done += 5_000) {
    const texts = Array.from({ length: Math.min(5_000, count - done) }, () => corpus.passage(characters));
    const put = await timed(() => bench.put(companyId, texts));
    putSeconds += put.seconds;
    takeSeconds += (await timed(() => bench.takeIn(companyId))).seconds;
    known.push(...texts.slice(0, 100).map((text, index) => ({ id: put.result[index], text })));
  }
  return { known, putSeconds, takeSeconds };
};

/** Milliseconds of each of `count` searches one after the other, and how often the passage asked for is among five. */
const ask = async (companyId, known, count) => {
  const times = [];
  let found = 0;
  for (let asked = 0; asked < count; asked += 1) {
    const { id, text } = known[Math.floor(corpus.next() * known.length)];
    const question = corpus.question(text);
    const { seconds, result } = await timed(() => bench.search(companyId, question));
    times.push(seconds * 1000);
    if (result.slice(0, 5).includes(id)) found += 1;
  }
  times.sort((one, other) => one - other);
  return `p50 ${format(percentile(times, 0.5))} ms  p95 ${format(percentile(times, 0.95))} ms  found ${format((100 * found) / count)} %`;
};

const size = async (label) => {
  const { index, text } = await bench.sizes();
  say(label, `${format(index / 1e6)} MB for ${format(text / 1e6)} MB of text: ${format(index / text)} ×`);
};

if (others > 0) {
  const { takeSeconds } = await fill(bench.otherCompanyId, others);
  say(
    `${format(others)} passages of another company`,
    `${format(others / takeSeconds)} a second into the lists`,
  );
}
const { known, putSeconds, takeSeconds } = await fill(bench.companyId, items);
say(`${format(items)} passages put`, `${format(items / putSeconds)} a second`);
say('taken into the lists', `${format(items / takeSeconds)} a second`);
await size('index as it was made');
say('200 questions, the first of the process', await ask(bench.companyId, known, 200));
say('500 questions more', await ask(bench.companyId, known, 500));

/** As documents come in: some passages are put, and when there is enough of them they go into the lists. */
const takingIn = (async () => {
  for (let put = 0; put < 6_000; put += 200) {
    await bench.put(
      bench.companyId,
      Array.from({ length: 200 }, () => corpus.passage(characters)),
    );
    if (bench.isDue) await bench.takeIn(bench.companyId);
  }
})();
const over = new AbortController();
void takingIn.finally(() => over.abort());
const during = [];
while (!over.signal.aborted) {
  const question = corpus.question(known[Math.floor(corpus.next() * known.length)].text);
  during.push((await timed(() => bench.search(bench.companyId, question))).seconds * 1000);
  // Somebody asks every twenty milliseconds.
  await sleep(20);
}
during.sort((one, other) => one - other);
say(
  `${during.length} questions while 6,000 are taken in`,
  `p50 ${format(percentile(during, 0.5))} ms  p95 ${format(percentile(during, 0.95))} ms`,
);

const removal = await timed(() => bench.removeSome(bench.companyId, 20));
say('20 passages removed in', `${format(removal.seconds * 1000)} ms`);
const again = await timed(() => bench.compact(bench.companyId));
say('and out of the lists in', `${format(again.seconds)} s`);
const removals = await timed(() => bench.removeSome(bench.companyId, Math.floor(items / 10)));
say(`${format(items / 10)} passages removed in`, `${format(removals.seconds * 1000)} ms`);
say('300 questions before they are out', await ask(bench.companyId, known, 300));
const more = await timed(() => bench.compact(bench.companyId));
say('and out of the lists in', `${format(more.seconds)} s`);
await size('index after that');
