/** Takes texts into the index of a company, beside a process that answers questions; run by taking-in.js. */
import { once } from 'node:events';

import { SearchBench } from './search-bench.js';

const [{ url, companyId, texts, aSecond }] = await once(process, 'message');
process.on('disconnect', () => process.exit());
const bench = await SearchBench.join(url, companyId);
process.send({ error: null });
await once(process, 'message');
const error = await bench.putAndTakeIn(companyId, texts, aSecond).then(
  () => null,
  (reason) => String(reason),
);
process.send({ error });
