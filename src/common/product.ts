import { readFileSync } from 'node:fs';

import { z } from 'zod';

const Manifest = z.object({ version: z.string() });

const { version } = Manifest.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
);

/** The product's name and version for other systems. */
export const product = { name: 'Palabre', version, userAgent: `Palabre/${version}` } as const;
