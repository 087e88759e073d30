/**
 * What search costs and how good it is: taking texts in, finding them (also while others are taken in, and with typing
 * errors), changing and removing them, and the size of the index. On the database that DATABASE_URL names, in a new one
 * that is dropped afterwards, or else on the embedded one.
 *
 *   npm run bench -- search [--quick | --large | --million] [--items 100000] [--others 100000] [--characters 880]
 *     [--questions 500] [--json]
 *
 * --large: 100,000 passages beside 900,000 of nine other companies; --million: a million in one company, which takes
 * half an hour. What is found is compared with an exact search up to 100,000 passages: more do not fit in memory.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Corpus } from './corpus.js';
import { ExactSearch, qualityOf } from './quality.js';
import { milliseconds, Report, timed } from './report.js';
import { SearchBench } from './search-bench.js';
import { TakingIn } from './taking-in.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    million: { type: 'boolean', default: false },
    items: { type: 'string' },
    others: { type: 'string' },
    characters: { type: 'string', default: '880' },
    questions: { type: 'string', default: '500' },
    json: { type: 'boolean', default: false },
  },
});
function sizes() {
  if (values.quick) return { items: 5_000, others: 5_000 };
  if (values.million) return { items: 1_000_000, others: 0 };
  return { items: 100_000, others: values.large ? 900_000 : 100_000 };
}
const items = Number(values.items ?? sizes().items);
const others = Number(values.others ?? sizes().others);
const characters = Number(values.characters);
const questions = Number(values.questions);

const PASSAGES_AT_A_TIME = 5_000;
const MOST_EXACT = 100_000;
const COMPANY_ITEMS = 100_000;
const EXACT_QUESTIONS = 100;
const MORE = 7_000;
const MORE_A_SECOND = 700;

const corpus = new Corpus(1);
const report = new Report(values);
const exact = items > MOST_EXACT ? null : new ExactSearch();
await using bench = await SearchBench.start(Math.ceil(others / COMPANY_ITEMS));
const { companyId } = bench;
report.add('database', { kind: bench.kind });

function textsOf(count) {
  return Array.from({ length: count }, () => corpus.passage(characters));
}

/** Gives some of them, by id. */
async function fill(ownerId, count, onPassage = () => undefined) {
  const known = [];
  let putSeconds = 0;
  let takeSeconds = 0;
  for (let done = 0; done < count; done += PASSAGES_AT_A_TIME) {
    const texts = textsOf(Math.min(PASSAGES_AT_A_TIME, count - done));
    const put = await timed(() => bench.put(ownerId, texts));
    putSeconds += put.seconds;
    takeSeconds += (await timed(() => bench.takeIn(ownerId))).seconds;
    texts.forEach((text, index) => onPassage(put.result[index], text));
    known.push(...texts.slice(0, 100).map((text, index) => ({ id: put.result[index], text })));
  }
  return { known, putSeconds, takeSeconds };
}

function oneOf(known) {
  return known[Math.floor(corpus.next() * known.length)];
}

/** Asks one question after the other. */
async function ask(what, known, count) {
  const times = [];
  const answers = [];
  for (let asked = 0; asked < count; asked += 1) {
    const { id, text } = oneOf(known);
    const question = corpus.question(text);
    const { seconds, result } = await timed(() => bench.search(companyId, question));
    times.push(seconds * 1000);
    answers.push({ id, found: result });
  }
  report.add(what, { ...milliseconds(times), 'R@5': qualityOf(answers)['R@5'] });
}

/** The same short questions put to the index and to an exact search. */
async function compare(known) {
  const asked = Array.from({ length: EXACT_QUESTIONS }, () => {
    const { id, text } = oneOf(known);
    return { id, question: corpus.shortQuestion(text) };
  });
  const misspelt = asked.map(({ id, question }) => ({ id, question: corpus.misspelt(question) }));
  for (const [what, all] of [
    ['three words', asked],
    ['with typing errors', misspelt],
  ]) {
    const found = [];
    for (const { id, question } of all) {
      found.push({ id, found: await bench.search(companyId, question) });
    }
    report.add(`${what}: the index`, qualityOf(found));
    const best = all.map(({ id, question }) => ({ id, found: exact.find(question, 10) }));
    report.add(`${what}: an exact search`, qualityOf(best));
    const same = found.reduce(
      (sum, { found: ids }, at) =>
        sum + ids.slice(0, 5).filter((id) => best[at].found.slice(0, 5).includes(id)).length,
      0,
    );
    report.add(`${what}: of the exact best five`, { share: same / (5 * all.length) });
  }
}

async function tellSize(what) {
  const { index, text } = await bench.sizes();
  report.add(what, { 'text MB': text / 1e6, 'index MB': index / 1e6, times: index / text });
}

/** Takes passages in beside the process that answers, as a worker does; the embedded database has but one process. */
async function takeMoreIn(count) {
  const texts = textsOf(count);
  if (bench.url === null)
    return { run: () => bench.putAndTakeIn(companyId, texts, MORE_A_SECOND), stop: () => undefined };
  return TakingIn.start({ url: bench.url, companyId, texts, aSecond: MORE_A_SECOND });
}

async function askMeanwhile(what, known, work) {
  const over = new AbortController();
  const working = timed(work).finally(() => over.abort());
  const times = [];
  while (!over.signal.aborted) {
    const question = corpus.question(oneOf(known).text);
    times.push((await timed(() => bench.search(companyId, question))).seconds * 1000);
    // Somebody asks every twenty milliseconds.
    await sleep(20);
  }
  const { seconds } = await working;
  report.add(what, { questions: times.length, ...milliseconds(times), seconds });
}

let otherSeconds = 0;
for (const [index, otherId] of bench.otherIds.entries()) {
  const count = Math.min(COMPANY_ITEMS, others - index * COMPANY_ITEMS);
  otherSeconds += (await fill(otherId, count)).takeSeconds;
}
if (others > 0) {
  report.add('passages of other companies', { passages: others, 'a second': others / otherSeconds });
}
const { known, putSeconds, takeSeconds } = await fill(companyId, items, (id, text) => exact?.add(id, text));
report.add('passages put', { passages: items, 'a second': items / putSeconds });
report.add('taken into the lists', { 'a second': items / takeSeconds });
report.add('both', { 'a second': items / (putSeconds + takeSeconds) });
await tellSize('index as it was made');
await ask('200 questions, the first of the process', known, 200);
await ask('questions', known, questions);
if (exact) await compare(known);
const takingIn = await takeMoreIn(MORE);
try {
  const what = `questions while ${MORE_A_SECOND} passages a second are taken in`;
  await askMeanwhile(what, known, () => takingIn.run());
} finally {
  takingIn.stop();
}

const changed = known.splice(0, Math.min(200, known.length / 2));
const change = await timed(() =>
  bench.change(
    companyId,
    changed.map(({ id }) => id),
    textsOf(changed.length),
  ),
);
report.add('passages changed', { passages: changed.length, ms: change.seconds * 1000 });
const removal = await timed(() => bench.removeSome(companyId, 20));
report.add('passages removed', { passages: 20, ms: removal.seconds * 1000 });
await bench.takeIn(companyId);
await askMeanwhile('questions while that is compacted', known, () => bench.compact(companyId));
const tenth = Math.floor(items / 10);
const removals = await timed(() => bench.removeSome(companyId, tenth));
report.add('passages removed', { passages: tenth, seconds: removals.seconds });
await askMeanwhile('questions while that is compacted', known, () => bench.compact(companyId));
await tellSize('index after compaction');
report.end();
