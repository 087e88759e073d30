import { z } from 'zod';
import { argumentPlaces, httpBodies, httpMethods, type SecretPlace } from '@palabre/openapi';
import type { JsonObject } from '@palabre/json';

const PlacementSchema = z.object({ argument: z.string(), in: z.enum(argumentPlaces), name: z.string() });

/** The settings in an HTTP skill's definition. Secrets are here by name only. */
export const HttpSettings = z.object({
  method: z.enum(httpMethods),
  /** RFC 6570, see url-template.ts; its variables are arguments. */
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  secretHeaders: z.array(z.string()),
  /** Some services want their key in the address. */
  secretQuery: z.array(z.string()),
  /** The kind of body for arguments without a placement. Null: they go to the query. */
  body: z.enum(httpBodies).nullable(),
  placements: z.array(PlacementSchema),
  /** JSONPath (RFC 9535) of the relevant part of the answer. Null: all of it. */
  resultPath: z.string().nullable(),
});
export type HttpSettings = z.output<typeof HttpSettings>;

/** The settings of a definition. Throws on values that this version does not know. */
export function readHttpSettings(settings: JsonObject): HttpSettings {
  return HttpSettings.parse(settings);
}

/** Settings for admins. Null: none. */
export function shownSettings(
  definition: { settings: JsonObject; timeoutMs: number } | undefined,
): ShownSettings | null {
  if (!definition) return null;
  const { headers, secretHeaders, secretQuery, ...settings } = readHttpSettings(definition.settings);
  return {
    ...settings,
    timeoutSeconds: definition.timeoutMs / 1_000,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    secrets: [
      ...secretHeaders.map((name) => ({ in: 'HEADER' as const, name })),
      ...secretQuery.map((name) => ({ in: 'QUERY' as const, name })),
    ],
  };
}

interface ShownSettings extends Pick<HttpSettings, 'method' | 'url' | 'body' | 'placements' | 'resultPath'> {
  timeoutSeconds: number;
  headers: { name: string; value: string }[];
  secrets: SecretPlace[];
}
