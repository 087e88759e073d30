import { readFileSync } from 'node:fs';

import { z } from 'zod';

/** The defaults of this distribution, from the field `palabre` of package.json. */
const Distribution = z.object({
  palabre: z.object({
    /** The plugins that are loaded unless PLUGINS is set. */
    plugins: z.array(z.string().min(1)),
    /** The key of the assistant that the command `ask` uses by default. */
    assistant: z.string().min(1),
  }),
});

export const distribution = Distribution.parse(
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')),
).palabre;
