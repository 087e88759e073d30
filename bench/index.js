/**
 * Benchmarks of the build: `npm run bench -- NAME [OPTIONS]`; without a name, a list of them.
 */
const benchmarks = {
  stream: ['What a streamed, stored turn costs, beside a server that stores nothing', './stream/index.js'],
  turns: [
    'The time to the start, the first text and the end of a turn, also in a conversation of 20,000 messages',
    './turns.js',
  ],
  tokens: ['What the prompts of a turn cost, in tokens, by assistant', './tokens.js'],
  prompts: [
    "How much of a prompt the next one of its turn begins with, and what fitting one into a model's window takes",
    './prompts.js',
  ],
  'chat-model': [
    "What a streamed chunk costs the model's adapter, beside the SDK's own stream",
    './chat-model.js',
  ],
  console: [
    'What the console asks of a slow browser: first paint, many messages, a long answer',
    './console.js',
  ],
  recall: [
    'How much of what answers a question about earlier conversations a turn is told',
    './recall/index.js',
  ],
  memories: ['How often a turn is told the memory that answers its question', './memories/index.js'],
  contexts: [
    'What it takes to make the memory context of a turn, in a company with many memories',
    './contexts/index.js',
  ],
  search: [
    'What it costs to take texts into the search index, to find them and to remove them, and how large it is',
    './search/index.js',
  ],
  reader: [
    'How much of a text comes whole out of a file, by how it is laid out',
    '../packages/reader/bench/index.js',
  ],
  documents: [
    'How often what answers a question is among the first places that a search in documents gives',
    './documents/index.js',
  ],
};

const [name = '', ...options] = process.argv.slice(2);
const [, file] = Object.hasOwn(benchmarks, name) ? benchmarks[name] : [];
if (file) {
  // Each of them reads its options as if it had been called by itself.
  process.argv = [...process.argv.slice(0, 2), ...options];
  await import(file);
} else {
  console.log('Usage: npm run bench -- NAME [OPTIONS]\n');
  for (const [each, [description]] of Object.entries(benchmarks)) {
    console.log(`  ${each.padEnd(12)}${description}`);
  }
  process.exitCode = name === '' ? 0 : 2;
}
