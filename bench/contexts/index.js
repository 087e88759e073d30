/**
 * What it takes to make the memory context of a turn in a company with many memories, beside a turn that is running. On
 * the database that DATABASE_URL names, in a new one that is dropped afterwards, or else on the embedded one.
 *
 *   npm run bench -- contexts [--quick] [--memories 100000] [--own 10000] [--contexts 300]
 */
import { parseArgs } from 'node:util';

import { Corpus } from '../search/corpus.js';
import { startInstallation } from './installation.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    memories: { type: 'string' },
    own: { type: 'string' },
    contexts: { type: 'string' },
  },
});
const memories = Number(values.memories ?? (values.quick ? 5_000 : 100_000));
const own = Math.min(memories, Number(values.own ?? memories / 10));
const contexts = Number(values.contexts ?? (values.quick ? 100 : 300));

function say(what, ...figures) {
  return console.log(`${what.padEnd(40)} ${figures.join('  ')}`);
}
function milliseconds(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms  p95 ${at(0.95)} ms  p99 ${at(0.99)} ms`;
}

const corpus = new Corpus(2);
const kinds = ['FACT', 'FACT', 'FACT', 'CONTACT', 'PROJECT'];
function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
function name() {
  return `${capital(corpus.word())} ${capital(corpus.word())}`;
}
function memoryOf(index) {
  return {
    kind: index < 20 ? 'PREFERENCE' : kinds[index % kinds.length],
    subject: `${name()} ${index}`,
    content: corpus.passage(60 + Math.floor(corpus.next() * 140)),
  };
}

await using installation = await startInstallation();
say('database', installation.kind);
const begun = performance.now();
const noted = [];
for (let done = 0; done < memories; done += 500) {
  const batch = Array.from({ length: Math.min(500, memories - done) }, (_, index) => memoryOf(done + index));
  // The member's own come first, with their preferences.
  await installation.note(batch, done < own);
  noted.push(...batch.slice(0, 20));
}
await installation.indexed();
say(
  'noted',
  `${memories} memories, ${own} of them the member's own`,
  `${Math.round((performance.now() - begun) / 1000)} s`,
);
const { text, index } = await installation.sizes();
say('size', `${(text / 1e6).toFixed(0)} MB of text`, `index ${(index / text).toFixed(1)} ×`);

/** A question that names something, and asks for some words of what was noted. */
function question() {
  const { subject, content } = noted[Math.floor(corpus.next() * noted.length)];
  return `${subject.replace(/ \d+$/, '')} : ${corpus.question(content)} ?`;
}

async function measure(what, made = contexts) {
  const times = [];
  let tokens = 0;
  for (let each = 0; each < made; each += 1) {
    const { took, context } = await installation.context(question());
    times.push(took);
    tokens += context.tokens;
  }
  say(what, milliseconds(times), `${Math.round(tokens / made)} tokens`);
}

await measure('cold', 20);
await measure('by themselves');
const turns = installation.runTurns();
await measure('beside a running turn');
await turns.stop();

const asked = question();
await installation.context(asked);
const times = [];
for (let each = 0; each < contexts; each += 1) times.push((await installation.context(asked)).took);
say('known from before', milliseconds(times));
